import type { Command } from '../command.js';
import { NO_WAIT } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { linesOf, localFile } from '../local-file.js';
import { plain } from '../output.js';
import { waitForTask } from '../progress.js';

function ladderOf(text: string): number[] {
  const steps = text.split(',').map((step) => (step.trim() === '' ? NaN : Number(step)));
  if (steps.some((step) => !Number.isFinite(step)))
    throw new UsageError('--ladder must be a list of numbers, such as 0.95,0.9,0.8,0.7,0.6');
  return steps;
}

export const vectors: Command = {
  name: 'vectors',
  operands: 'FILE',
  summary: 'Replace the image vectors of a dataset with your own',
  details:
    'FILE is .npy, whose rows are named by --names or --media-ids, or .parquet with a column of names. Media are clustered and searched by these vectors\n' +
    `from then on. Exit code ${EXIT.partly}: the warnings say what has no vector.`,
  options: {
    dataset: { type: 'string', value: 'DATASET', help: 'Name or id of the dataset. Required.' },
    id: { type: 'string', value: 'ID', help: 'The name of the vectors, such as that of a model. Required.' },
    names: {
      type: 'string',
      value: 'LIST',
      help: 'A file with the path of the medium of each row, one per line.',
    },
    'media-ids': { type: 'string', value: 'LIST', help: 'A file with the id of the medium of each row, one per line.' },
    ladder: {
      type: 'string',
      value: 'COSINES',
      help: 'Five cosines at which media join into clusters, finest level first, separated by commas.',
    },
    'allow-missing': { type: 'boolean', help: 'Continue even if some media have no vector.' },
    ...NO_WAIT,
  },
  async run(run) {
    const [path] = run.positionals as [string];
    const [name, id] = [run.text('dataset'), run.text('id')];
    if (name === undefined) throw new UsageError('Name the dataset: --dataset DATASET');
    if (id === undefined) throw new UsageError('Name the vectors: --id ID');
    const [names, mediaIds, ladder] = [run.text('names'), run.text('media-ids'), run.text('ladder')];
    if (names !== undefined && mediaIds !== undefined) throw new UsageError('Use --names or --media-ids, not both');
    const embeddings = {
      id,
      allowMissing: run.flag('allow-missing'),
      ...(ladder === undefined ? {} : { ladder: ladderOf(ladder) }),
      ...(names === undefined ? {} : { names: await linesOf(names) }),
      ...(mediaIds === undefined ? {} : { mediaIds: await linesOf(mediaIds) }),
    };
    const file = await localFile(path);
    const dataset = await (await run.service()).findDataset(name);
    const task = await waitForTask(run, dataset, await dataset.pushEmbeddings(file, embeddings));
    run.answer({ task: task.task_id, warnings: task.warnings }, () => {
      run.print(run.flag('no-wait') ? 'The vectors are sent.' : `The image vectors are now "${plain(id)}".`);
      for (const warning of task.warnings) run.print(plain(warning));
    });
    return task.warnings.length === 0 ? EXIT.ok : EXIT.partly;
  },
};
