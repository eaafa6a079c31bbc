import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AnnotationFilePreview, Dataset } from '../../dataset.js';
import { take } from '../../paging.js';
import type { PushOptions, SourceAnnotation } from '../../sources.js';
import { annotationPages } from '../annotation-lines.js';
import type { Command, Run } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { localFile } from '../local-file.js';
import { plain, ProgressLine } from '../output.js';
import { waitForTask } from '../progress.js';

const MOST_PER_PAGE = 1_000;
/** The others are counted. */
const MOST_NAMED = 20;

/** With one annotation a line, as the API has them. */
const OWN_FILE = /\.(?:jsonl|ndjson)$/i;

type Action = (run: Run, dataset: Dataset, file: string | undefined) => Promise<number | void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  sources: listSources,
  export: exportSource,
  import: importFile,
  objects: makeObjects,
  history: showHistory,
  undo: undoChange,
};
const ACTION_NAMES = 'sources, export, import, objects, history or undo';
const WITHOUT_SOURCE = ['sources', 'history', 'undo'];
/** What follows the dataset. */
const OPERANDS: Readonly<Record<string, string>> = { import: 'FILE', undo: 'CHANGE' };

export const annotations: Command = {
  name: 'annotations',
  operands: 'ACTION DATASET [FILE|CHANGE]',
  summary: 'List, export, import or undo changes of the annotations of sources, or make objects of them',
  details:
    'ACTION is sources, export, import, objects (cuts out what a source marks), history (who changed what, latest first) or undo, of the CHANGE with this id. A file named .jsonl has one annotation a line, with the fields of the API: file_name or media_id, label, shape, id,\n' +
    'confidence and so on. Other files, such as those of COCO, and archives with them are sent to the service as they are. An import of lines that was interrupted can be repeated: an annotation with a known id is changed, and a line without an id gets the same\n' +
    `one again. Exit code ${EXIT.partly}: some lines name pictures that the dataset does not have, and the rest is done.`,
  options: {
    source: { type: 'string', value: 'NAME', help: 'The source. Required to export, to import and for objects.' },
    label: { type: 'string', value: 'LABEL', help: 'Export only annotations with this label.' },
    output: { type: 'string', short: 'o', value: 'FILE', help: 'Export into this file instead of the output.' },
    by: { type: 'string', value: 'EMAIL', help: 'History: only changes by this person.' },
    limit: { type: 'string', value: 'N', help: 'History: so many changes; 20 by default.' },
    mode: { type: 'string', value: 'MODE', help: 'Import: merge (the default), add or delete.' },
    kind: { type: 'string', value: 'KIND', help: 'Of a new source: predictions (the default) or truth.' },
    format: {
      type: 'string',
      value: 'FORMAT',
      help: 'Import: the format of a file of another tool, such as coco; told by its content by default.',
    },
    preview: {
      type: 'boolean',
      help: 'Import: say what a file of another tool has, what matches no picture and what is invalid, and change nothing.',
    },
    unit: {
      type: 'string',
      value: 'UNIT',
      help: 'Of the coordinates of an import: pixels (the default) or fractions.',
    },
  },
  async run(run) {
    const [name, datasetName, file] = run.positionals as [string, string | undefined, string?];
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (action === undefined) throw new UsageError(`The action is ${ACTION_NAMES}`);
    if (datasetName === undefined) throw new UsageError('Name the dataset after the action');
    if ((file !== undefined) !== Object.hasOwn(OPERANDS, name))
      throw new UsageError('A FILE is needed to import, a CHANGE to undo, and nothing otherwise');
    if (!WITHOUT_SOURCE.includes(name) && run.text('source') === undefined)
      throw new UsageError('Name the source: --source NAME');
    return action(run, await (await run.service()).findDataset(datasetName), file);
  },
};

async function listSources(run: Run, dataset: Dataset): Promise<void> {
  const sources = await dataset.sources();
  run.answer(sources, () =>
    run.table(
      ['NAME', 'KIND', 'LABELS', 'BOXES', 'POLYGONS', 'MASKS', 'KEYPOINTS'],
      sources.map((source) => [
        source.name,
        source.kind,
        source.n_labels,
        source.n_boxes,
        source.n_polygons,
        source.n_masks,
        source.n_keypoints,
      ]),
    ),
  );
}

/** As an import reads it, so without what is about the dataset or about changes. */
function lineOf({ file_path: name, ...annotation }: SourceAnnotation): string {
  const { id, label, shape, confidence, area, attributes, crowd, ignored, track_id: track } = annotation;
  return `${JSON.stringify({
    ...{ file_name: name, id, label },
    ...(shape !== null && { shape }),
    ...(confidence !== null && { confidence }),
    ...(area !== null && { area }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
    ...(crowd && { crowd }),
    ...(ignored && { ignored }),
    ...(track !== null && { track_id: track }),
  })}\n`;
}

async function exportSource(run: Run, dataset: Dataset): Promise<void> {
  const [label, output] = [run.text('label'), run.text('output')];
  const progress = new ProgressLine();
  let count = 0;
  async function* lines(): AsyncGenerator<string> {
    const query = { limit: MOST_PER_PAGE, ...(label !== undefined && { label }) };
    for await (const annotation of dataset.source(run.text('source')!).annotations(query)) {
      count += 1;
      if (output !== undefined) progress.show(`${count} annotations`);
      yield lineOf(annotation);
    }
  }
  if (output === undefined) {
    await pipeline(Readable.from(lines()), process.stdout, { signal: run.signal, end: false });
    return;
  }
  const part = `${output}.part`;
  try {
    await pipeline(Readable.from(lines()), createWriteStream(part), { signal: run.signal });
    await rename(part, output);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    progress.end();
  }
  run.answer({ file: output, annotations: count }, () => run.print(`${output} (${count} annotations)`));
}

async function makeObjects(run: Run, dataset: Dataset): Promise<void> {
  const task = await waitForTask(run, dataset, await dataset.makeObjects(run.text('source')!));
  run.answer({ tasks: [task.task_id], warnings: task.warnings }, () => {
    run.print('The objects are made.');
    for (const warning of task.warnings) run.print(plain(warning));
  });
}

async function showHistory(run: Run, dataset: Dataset): Promise<void> {
  const [source, by] = [run.text('source'), run.text('by')];
  const query = { ...(source !== undefined && { source }), ...(by !== undefined && { created_by: by }) };
  const changes = await take(dataset.annotationHistory(query), run.number('limit', 20, 1, 100_000));
  run.answer(changes, () =>
    run.table(
      ['TIME', 'BY', 'SOURCE', 'MODE', 'ADDED', 'CHANGED', 'REMOVED', 'MEDIA', 'UNDONE', 'CHANGE'],
      changes.map((each) => [
        each.created_at.slice(0, 19),
        plain(each.created_by),
        plain(each.source),
        each.mode,
        ...[each.added, each.changed, each.removed, each.n_media ?? ''],
        each.undone_by === null ? '' : 'yes',
        each.change_id,
      ]),
    ),
  );
}

async function undoChange(run: Run, dataset: Dataset, change = ''): Promise<void> {
  const undone = await dataset.undo(change);
  run.answer(undone, () =>
    run.print(
      `${undone.added} added, ${undone.changed} changed, ${undone.removed} removed. To do it again, undo ${undone.change_id}.`,
    ),
  );
}

const oneOf = <T extends string>(run: Run, name: string, values: readonly [T, ...T[]]): T => {
  const given = run.text(name);
  const found = given === undefined ? values[0] : values.find((value) => value === given);
  if (found === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}`);
  return found;
};

/** Into the source of the command. */
async function importFile(run: Run, dataset: Dataset, file = ''): Promise<number> {
  const options: PushOptions = {
    mode: oneOf(run, 'mode', ['merge', 'add', 'delete']),
    kind: oneOf(run, 'kind', ['predictions', 'truth']),
    unit: oneOf(run, 'unit', ['pixels', 'fractions']),
  };
  const format = run.text('format');
  const isOwn = OWN_FILE.test(file) && format === undefined;
  if (isOwn && run.flag('preview')) throw new UsageError('--preview is for files of other tools');
  return isOwn ? importLines(run, dataset, file, options) : importForeign(run, dataset, file, { ...options, format });
}

async function importForeign(run: Run, dataset: Dataset, path: string, options: ForeignOptions): Promise<number> {
  if (run.text('unit') !== undefined) throw new UsageError('--unit is for files named .jsonl');
  const { format, ...others } = options;
  const [files, source] = [[await localFile(path)], run.text('source')!];
  const asked = { ...others, ...(format !== undefined && { format }) };
  if (run.flag('preview')) return showPreview(run, await dataset.previewAnnotations(files, source, asked));
  const started = await dataset.importAnnotations(files, source, asked);
  const task = await waitForTask(run, dataset, started);
  run.answer({ tasks: [task.task_id], warnings: task.warnings }, () => {
    run.print('The file is done.');
    for (const warning of task.warnings) run.print(plain(warning));
  });
  return task.warnings.length === 0 ? EXIT.ok : EXIT.partly;
}

function showPreview(run: Run, preview: AnnotationFilePreview): number {
  const { format, annotations: count, pictures, is_complete: isComplete, first, unmatched, faults } = preview;
  run.answer(preview, () => {
    run.print(
      `${isComplete ? '' : 'The first '}${count} annotations of ${pictures} pictures, in the format ${format}:`,
    );
    run.table(
      ['PICTURE', 'LABEL', 'SHAPE', 'CONFIDENCE', 'MATCHES'],
      first.map((each) => [
        plain(each.file_path),
        plain(each.label),
        each.shape?.type ?? 'label',
        each.confidence ?? '',
        each.matches ? 'yes' : 'no',
      ]),
    );
    if (unmatched.count > 0)
      run.print(`${unmatched.count} annotations are of pictures that the dataset does not have, such as:`);
    for (const name of [...unmatched.names, ...faults]) run.print(plain(name));
  });
  return unmatched.count === 0 && faults.length === 0 ? EXIT.ok : EXIT.partly;
}

type ForeignOptions = PushOptions & { readonly format: string | undefined };

async function importLines(run: Run, dataset: Dataset, file: string, options: PushOptions): Promise<number> {
  const source = dataset.source(run.text('source')!);
  const progress = new ProgressLine();
  const done = { added: 0, changed: 0, removed: 0 };
  const unmatched: string[] = [];
  let [sent, missed] = [0, 0];
  try {
    for await (const page of annotationPages(file)) {
      run.signal.throwIfAborted();
      const { unmatched: positions, ...changes } = await source
        .push(page.annotations, options)
        .catch((error: Error) => {
          error.message = `${file}, ${page.place}: ${error.message} ${sent} annotations before these are done.`;
          throw error;
        });
      for (const key of ['added', 'changed', 'removed'] as const) done[key] += changes[key];
      for (const at of positions.slice(0, MOST_NAMED - unmatched.length)) unmatched.push(page.nameOf(at));
      missed += positions.length;
      sent += page.annotations.length;
      progress.show(`${sent} annotations`);
    }
  } finally {
    progress.end();
  }
  run.answer({ ...done, unmatched: missed, unmatched_lines: unmatched }, () => {
    run.print(`${done.added} added, ${done.changed} changed, ${done.removed} removed.`);
    if (missed > 0) run.print(`${missed} annotations are of pictures that the dataset does not have, such as:`);
    for (const name of unmatched) run.print(plain(name));
  });
  return missed === 0 ? EXIT.ok : EXIT.partly;
}
