import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { MediaService } from '../../service.js';
import { uploadFolder, type UploadOptions, type UploadResult } from '../../upload.js';
import type { Command, Run } from '../command.js';
import { LABELS_FROM_FOLDERS, NO_WAIT } from '../command.js';
import { EXIT, NotThereError, UsageError } from '../exit.js';
import { bytesText, durationText, plain, ProgressLine, Rate } from '../output.js';
import { waitForCreation, waitForTask } from '../progress.js';

const MOST_REPORTED = 20;
const ARCHIVE_ENDS = ['.zip', '.tar', '.tar.gz', '.tgz'];

const isArchive = (name: string): boolean => ARCHIVE_ENDS.some((end) => name.toLowerCase().endsWith(end));

async function kindOf(path: string): Promise<'folder' | 'file'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch {
    throw new NotThereError(`The file or folder ${path} does not exist`);
  }
}

async function send(
  run: Run,
  service: MediaService,
  folder: string,
  { dataset, labelsFromFolders = false }: Pick<UploadOptions, 'dataset' | 'labelsFromFolders'>,
): Promise<UploadResult> {
  const line = new ProgressLine();
  const rate = new Rate();
  const journal = run.text('journal');
  try {
    return await uploadFolder(service, folder, {
      dataset,
      labelsFromFolders,
      signal: run.signal,
      concurrency: run.number('connections', 8, 1, 64),
      ...(journal === undefined ? {} : { journal }),
      onProgress: ({ files, bytes, totalFiles, totalBytes, refused }) => {
        const { perSecond, secondsLeft } = rate.of(bytes, totalBytes);
        line.show(
          `${files + refused} of ${totalFiles} files, ${bytesText(bytes)} of ${bytesText(totalBytes)}, ` +
            `${bytesText(perSecond)}/s, ${durationText(secondsLeft)} left${refused === 0 ? '' : `, ${refused} refused`}`,
        );
      },
      onWait: ({ message }) => line.show(`${message} Trying again …`, true),
    });
  } finally {
    line.end();
  }
}

/** Prints the sent and the refused files; returns the exit code. */
function report(run: Run, { dataset, files, bytes, skipped, refusedFiles }: UploadResult): number {
  run.answer({ dataset_id: dataset.id, files, bytes, skipped, refused: refusedFiles }, () => {
    const before = skipped === 0 ? '' : `, ${skipped} of them by an earlier upload`;
    run.print(`${files} files (${bytesText(bytes)}) are uploaded to ${dataset.id}${before}.`);
    if (refusedFiles.length === 0) return;
    run.print(`${refusedFiles.length} files were refused:`);
    for (const { path, reason } of refusedFiles.slice(0, MOST_REPORTED))
      run.print(`  ${plain(path)}: ${plain(reason)}`);
    if (refusedFiles.length > MOST_REPORTED)
      run.print(`  … and ${refusedFiles.length - MOST_REPORTED} more; --json lists all of them`);
  });
  return refusedFiles.length === 0 ? EXIT.ok : EXIT.partly;
}

const UPLOAD_OPTIONS = {
  connections: { type: 'string', value: 'N', help: 'Concurrent requests, 1 to 64; default 8.' },
  journal: {
    type: 'string',
    value: 'FILE',
    help: 'The journal of sent files; default: a file in your state folder.',
  },
  ...NO_WAIT,
} as const;

export const upload: Command = {
  name: 'upload',
  operands: 'FOLDER',
  summary: 'Upload a folder to a new dataset, or add it to an existing one',
  details:
    'An upload that was interrupted goes on where it was when you start it again: nothing that the service has received is sent again.\n' +
    `Exit code ${EXIT.partly}: the service refused some of the files, and accepted the others.`,
  options: {
    dataset: {
      type: 'string',
      value: 'DATASET',
      help: 'Name of a new dataset, or name or id of an existing one. Required.',
    },
    ...LABELS_FROM_FOLDERS,
    ...UPLOAD_OPTIONS,
  },
  async run(run) {
    const [folder] = run.positionals as [string];
    const dataset = run.text('dataset');
    if (dataset === undefined) throw new UsageError('Name the dataset: --dataset DATASET');
    if ((await kindOf(folder)) !== 'folder')
      throw new UsageError(`${folder} is a file. Use "dms add" to add files and archives.`);
    const labelsFromFolders = run.flag('labels-from-folders');
    const result = await send(run, await run.service(), folder, { dataset, labelsFromFolders });
    await waitForCreation(run, result.dataset);
    return report(run, result);
  },
};

export const add: Command = {
  name: 'add',
  operands: 'DATASET [SOURCE...]',
  summary: 'Add a folder, an archive or files to a dataset',
  details:
    'SOURCE is on this machine. --location is a folder, a bucket (s3://) or a manifest that the service can read.',
  options: {
    location: { type: 'string', value: 'PATH', help: 'A folder, a bucket or a manifest that the service can read.' },
    reindex: { type: 'boolean', help: 'Reindex the dataset afterwards.' },
    ...UPLOAD_OPTIONS,
  },
  async run(run) {
    const [name, ...sources] = run.positionals as [string, ...string[]];
    const location = run.text('location');
    if ((location === undefined) === (sources.length === 0)) throw new UsageError('Give either a SOURCE or --location');
    const service = await run.service();
    const dataset = await service.findDataset(name);
    const kinds = await Promise.all(sources.map(kindOf));
    if (kinds.includes('folder')) {
      if (sources.length > 1) throw new UsageError('Add one folder at a time');
      const result = await send(run, service, sources[0]!, { dataset: dataset.id });
      if (run.flag('reindex')) await waitForTask(run, dataset, await dataset.reindex());
      return report(run, result);
    }
    const files = await Promise.all(sources.map(async (path) => new File([await openAsBlob(path)], basename(path))));
    const archive = files.length === 1 && isArchive(files[0]!.name) ? files[0] : undefined;
    const task = await dataset.add({
      ...(location === undefined ? {} : { location }),
      ...(archive === undefined ? { files } : { archive }),
      autoReindex: run.flag('reindex'),
    });
    const done = await waitForTask(run, dataset, task);
    run.answer(done, () =>
      run.print(`${done.task_type} of ${done.dataset_name} is ${done.status}: ${done.status_message}`),
    );
  },
};
