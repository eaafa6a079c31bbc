import type { Dataset, Snapshot } from '../../dataset.js';
import type { Command } from '../command.js';
import { NO_WAIT } from '../command.js';
import { NotThereError } from '../exit.js';
import { waitForTask } from '../progress.js';

/** Finds a snapshot by id or by name; of several with the name, the newest. */
async function findSnapshot(dataset: Dataset, idOrName: string): Promise<Snapshot> {
  const all = await dataset.snapshots();
  const found = all.find(
    ({ snapshot_id: id, snapshot_name: name }) => id === idOrName.toLowerCase() || name === idOrName,
  );
  if (found === undefined)
    throw new NotThereError(`The dataset has no snapshot "${idOrName}". "dms snapshot DATASET --list" lists them.`);
  return found;
}

export const snapshot: Command = {
  name: 'snapshot',
  operands: 'DATASET',
  summary: 'Take a snapshot of a dataset, or list its snapshots',
  options: {
    name: { type: 'string', value: 'NAME', help: 'The name of the snapshot.' },
    description: { type: 'string', value: 'TEXT', help: 'The description of the snapshot.' },
    list: { type: 'boolean', help: 'List the snapshots instead.' },
  },
  async run(run) {
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    if (run.flag('list')) {
      const all = await dataset.snapshots();
      run.answer(all, () =>
        run.table(
          ['NAME', 'CREATED', 'BY', 'IMAGES', 'VIDEOS', 'CURRENT', 'ID'],
          all.map((each) => [
            each.snapshot_name,
            each.created_at.slice(0, 16),
            each.created_by,
            each.n_images,
            each.n_videos,
            each.is_current ? 'yes' : '',
            each.snapshot_id,
          ]),
        ),
      );
      return;
    }
    const [name, description] = [run.text('name'), run.text('description')];
    const made = await dataset.createSnapshot({
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    });
    run.answer(made, () => run.print(`${made.snapshot_name}: ${made.snapshot_id}`));
  },
};

export const restore: Command = {
  name: 'restore',
  operands: 'DATASET SNAPSHOT',
  summary: 'Restore a snapshot, replacing the current state of the dataset',
  options: { ...NO_WAIT },
  async run(run) {
    const [name, wanted] = run.positionals as [string, string];
    const dataset = await (await run.service()).findDataset(name);
    const { snapshot_id: id } = await findSnapshot(dataset, wanted);
    const task = await waitForTask(run, dataset, await dataset.restoreSnapshot(id));
    run.answer(task, () => run.print(`${task.task_type} of ${task.dataset_name} is ${task.status}.`));
  },
};

export const clone: Command = {
  name: 'clone',
  operands: 'DATASET SNAPSHOT',
  summary: 'Clone a snapshot to a new, independent dataset',
  options: { 'with-views': { type: 'boolean', help: 'Also copy the saved views.' }, ...NO_WAIT },
  async run(run) {
    const [name, wanted] = run.positionals as [string, string];
    const dataset = await (await run.service()).findDataset(name);
    const { snapshot_id: id } = await findSnapshot(dataset, wanted);
    const started = await dataset.cloneSnapshot(id, { with_views: run.flag('with-views') });
    const task = await waitForTask(run, dataset, started);
    run.answer(task, () => run.print(`${task.dataset_name} is the clone: ${task.dataset_id}`));
  },
};
