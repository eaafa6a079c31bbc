import { take } from '../../paging.js';
import { Questions } from '../ask.js';
import type { Command } from '../command.js';
import { LABELS_FROM_FOLDERS, NO_WAIT } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { waitForCreation } from '../progress.js';

export const datasets: Command = {
  name: 'datasets',
  operands: '',
  summary: 'List the datasets that you can access',
  options: { all: { type: 'boolean', help: 'Include drafts unchanged for a day.' } },
  async run(run) {
    const found = await (await run.service()).datasets({ include_hidden: run.flag('all') });
    run.answer(found, () =>
      run.table(
        ['NAME', 'STATUS', 'IMAGES', 'VIDEOS', 'OBJECTS', 'ROLE', 'CREATED', 'ID'],
        found.map((each) => [
          each.display_name,
          each.status_new,
          each.n_images,
          each.n_videos,
          each.n_objects,
          each.role,
          each.created_at.slice(0, 16),
          each.id,
        ]),
      ),
    );
  },
};

export const folders: Command = {
  name: 'folders',
  operands: '[PATH]',
  summary: 'List the folders that the service can read, or the subfolders of one of them',
  details: 'Use one as the location of "dms create" or "dms add".',
  options: {},
  async run(run) {
    const found = await take((await run.service()).folders(run.positionals[0]));
    run.answer(found, () => found.forEach(({ path }) => run.print(path)));
  },
};

export const create: Command = {
  name: 'create',
  operands: 'NAME LOCATION',
  summary: 'Create a dataset from a folder or a bucket that the service can read',
  details: 'To send files of this machine to a service elsewhere, use "dms upload".',
  options: { ...LABELS_FROM_FOLDERS, ...NO_WAIT },
  async run(run) {
    const [name, location] = run.positionals as [string, string];
    const labelsFromFolders = run.flag('labels-from-folders');
    const dataset = await (await run.service()).createDataset(name, location, { labelsFromFolders });
    await waitForCreation(run, dataset);
    const made = await dataset.get();
    run.answer(made, () =>
      run.print(`${made.display_name} is ${made.status_new} with ${made.n_images} images: ${made.id}`),
    );
  },
};

export const rename: Command = {
  name: 'rename',
  operands: 'DATASET NAME',
  summary: 'Rename a dataset',
  options: { description: { type: 'string', value: 'TEXT', help: 'Also change its description.' } },
  async run(run) {
    const [known, name] = run.positionals as [string, string];
    const dataset = await (await run.service()).findDataset(known);
    const description = run.text('description');
    const words = { display_name: name, ...(description === undefined ? {} : { description }) };
    const changed = await dataset.describe(words);
    run.answer(changed, () => run.print(`The dataset is now called ${changed.display_name}: ${changed.id}`));
  },
};

export const remove: Command = {
  name: 'delete',
  operands: 'DATASET',
  summary: 'Delete a dataset permanently',
  options: { yes: { type: 'boolean', help: 'Do not ask for confirmation.' } },
  async run(run) {
    const service = await run.service();
    const dataset = await service.findDataset(run.positionals[0]!);
    const { display_name: name, n_images: images } = await dataset.get();
    if (!run.flag('yes')) {
      if (!process.stdin.isTTY) throw new UsageError('Pass --yes to confirm the deletion of the dataset');
      const questions = new Questions();
      const answer = await questions.ask(`Delete "${name}" with ${images} images permanently? Type its name`);
      questions.close();
      if (answer !== name) {
        run.note('Nothing was deleted.');
        return EXIT.failed;
      }
    }
    await dataset.delete();
    run.answer({ deleted: dataset.id }, () => run.print(`${name} is deleted.`));
  },
};
