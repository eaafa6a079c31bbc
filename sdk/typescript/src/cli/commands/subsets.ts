import { readFile } from 'node:fs/promises';
import type { ChosenMedia, Dataset, VqlFilter } from '../../dataset.js';
import type { Run, Command } from '../command.js';
import { NO_WAIT } from '../command.js';
import { NotThereError, UsageError } from '../exit.js';
import { waitForCreation, waitForTask } from '../progress.js';

const CHOICE = {
  tag: { type: 'string', value: 'NAME', help: 'Media with this tag.' },
  vql: { type: 'string', value: 'JSON', help: 'Media that match these filters, a JSON list.' },
  objects: { type: 'boolean', help: 'With --tag and --vql: objects instead of images.' },
  ids: { type: 'string', value: 'FILE', help: 'Media whose ids are in this file, one per line.' },
  decided: { type: 'boolean', help: 'Media to be dropped by the decisions about near duplicates.' },
} as const;

async function filtersOf(run: Run, dataset: Dataset): Promise<VqlFilter[]> {
  const [tagName, vql] = [run.text('tag'), run.text('vql')];
  const filters: VqlFilter[] = [];
  if (vql !== undefined) {
    try {
      filters.push(...(JSON.parse(vql) as VqlFilter[]));
    } catch {
      throw new UsageError('--vql must be a JSON list of filters');
    }
  }
  if (tagName !== undefined) {
    const tag = (await dataset.tags()).find(({ name }) => name === tagName);
    if (tag === undefined)
      throw new NotThereError(`The dataset has no tag "${tagName}". "dms tags DATASET" lists them.`);
    filters.push({ tags: { op: 'one_of', value: [tag.id] } });
  }
  return filters;
}

async function chosenMedia(run: Run, dataset: Dataset): Promise<ChosenMedia> {
  const vql = await filtersOf(run, dataset);
  const [file, decidedDuplicates] = [run.text('ids'), run.flag('decided')];
  if (vql.length === 0 && file === undefined && !decidedDuplicates)
    throw new UsageError('Choose media by --tag, --vql, --ids or --decided');
  const lines = file === undefined ? undefined : (await readFile(file, 'utf8')).split('\n');
  return {
    decidedDuplicates,
    ...(vql.length === 0 ? {} : { query: { vql, entity_type: run.flag('objects') ? 'OBJECTS' : 'IMAGES' } }),
    ...(lines === undefined ? {} : { mediaIds: lines.map((line) => line.trim()).filter((line) => line !== '') }),
  };
}

export const copy: Command = {
  name: 'copy',
  operands: 'DATASET NAME',
  summary: 'Create a new dataset from some of the media of another',
  details: 'Chooses media by --tag and --vql (both must match), plus those of --ids and --decided. No file is copied.',
  options: {
    ...CHOICE,
    without: { type: 'boolean', help: 'Use all other media instead.' },
    'with-views': { type: 'boolean', help: 'Also copy the saved views.' },
    ...NO_WAIT,
  },
  async run(run) {
    const [known, name] = run.positionals as [string, string];
    const source = await (await run.service()).findDataset(known);
    const chosen = await chosenMedia(run, source);
    const keep = run.flag('without') ? 'others' : 'chosen';
    const made = await source.copy(chosen, { keep, name, withViews: run.flag('with-views') });
    await waitForCreation(run, made);
    const details = await made.get();
    run.answer(details, () =>
      run.print(`${details.display_name} is ${details.status_new} with ${details.n_images} images: ${details.id}`),
    );
  },
};

export const removeMedia: Command = {
  name: 'remove',
  operands: 'DATASET',
  summary: 'Remove media from a dataset, after taking a snapshot to restore them from',
  details: 'Chooses media by --tag and --vql (both must match), plus those of --ids and --decided. No file is deleted.',
  options: { ...CHOICE, ...NO_WAIT },
  async run(run) {
    const dataset = await (await run.service()).findDataset(run.positionals[0]!);
    const task = await waitForTask(run, dataset, await dataset.remove(await chosenMedia(run, dataset)));
    run.answer(task, () => run.print(`${task.task_type} of ${task.dataset_name} is ${task.status}.`));
  },
};
