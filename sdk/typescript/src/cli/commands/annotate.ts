import { annotationBatches } from '../../annotations.js';
import type { Task } from '../../tasks.js';
import { readAnnotations } from '../annotation-file.js';
import type { Command } from '../command.js';
import { NO_WAIT } from '../command.js';
import { localFile } from '../local-file.js';
import { EXIT, UsageError } from '../exit.js';
import { plain } from '../output.js';
import { waitForTask } from '../progress.js';

export const annotate: Command = {
  name: 'annotate',
  operands: '[FILE]',
  summary: 'Set labels and captions of media in a dataset',
  details:
    'FILE is a CSV with a header, or JSON: a list of objects, or one object a line (.jsonl). Each names a medium by media_id or by file_name, its path in\n' +
    'the dataset, and has label or labels, a caption or both. Labels of several rows are joined. In a CSV an empty cell changes nothing, and labels may be\n' +
    `written as ["a","b"]; in JSON a caption of null removes it. Exit code ${EXIT.partly}: the warnings name what was not found, and the rest is done.`,
  options: {
    dataset: { type: 'string', value: 'DATASET', help: 'Name or id of the dataset. Required.' },
    mode: {
      type: 'string',
      value: 'MODE',
      help: 'add (the default) or replace: whether to keep or replace existing labels.',
    },
    'as-file': {
      type: 'boolean',
      help: 'Send FILE as it is: its name and columns are those of annotation files at creation, such as object_annotations.csv.',
    },
    'from-folders': { type: 'boolean', help: 'Label images with the names of their folders, instead of by a FILE.' },
    ...NO_WAIT,
  },
  async run(run) {
    const [path] = run.positionals as [string | undefined];
    if ((path === undefined) !== run.flag('from-folders')) throw new UsageError('Give either a FILE or --from-folders');
    const name = run.text('dataset');
    if (name === undefined) throw new UsageError('Name the dataset: --dataset DATASET');
    const mode = run.text('mode') ?? 'add';
    if (mode !== 'add' && mode !== 'replace') throw new UsageError('--mode must be add or replace');
    if (path === undefined || run.flag('as-file')) {
      const file = path === undefined ? undefined : await localFile(path);
      const dataset = await (await run.service()).findDataset(name);
      const started = file === undefined ? dataset.annotateByFolders(mode) : dataset.annotateByFiles([file], mode);
      const task = await waitForTask(run, dataset, await started);
      run.answer({ tasks: [task.task_id], warnings: task.warnings }, () => {
        const what = file === undefined ? 'The labels are' : 'The file is';
        run.print(`${what} ${run.flag('no-wait') ? 'sent' : 'done'}.`);
        for (const warning of task.warnings) run.print(plain(warning));
      });
      return task.warnings.length === 0 ? EXIT.ok : EXIT.partly;
    }
    const annotations = await readAnnotations(path);
    const dataset = await (await run.service()).findDataset(name);
    const batches = [...annotationBatches(annotations)];
    const tasks: Task[] = [];
    for (const batch of batches) {
      if (tasks.length > 0) await dataset.waitUntilIdle({ signal: run.signal });
      tasks.push(await waitForTask(run, dataset, await dataset.annotate(batch, mode)));
    }
    const warnings = tasks.flatMap((task) => task.warnings);
    run.answer({ annotations: annotations.length, tasks: tasks.map(({ task_id: id }) => id), warnings }, () => {
      const state = run.flag('no-wait') ? 'sent' : 'done';
      run.print(
        `${annotations.length} annotations are ${state} in ${tasks.length === 1 ? 'one task' : `${tasks.length} tasks`}.`,
      );
      for (const warning of warnings) run.print(plain(warning));
    });
    return warnings.length === 0 ? EXIT.ok : EXIT.partly;
  },
};
