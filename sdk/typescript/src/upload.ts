import { openAsBlob } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { answered } from './connection.js';
import type { Dataset } from './dataset.js';
import { delay } from './delay.js';
import {
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  MediaServiceError,
  NotFoundError,
  ServiceError,
} from './errors.js';
import { filesOf, type LocalFile } from './folder.js';
import { Journal, journalPath, type Target } from './journal.js';
import { FileForm } from './multipart.js';
import { postForm } from './post-form.js';
import type { MediaService } from './service.js';
import type { Task } from './tasks.js';

export interface UploadProgress {
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
  /** The number of `files` that an earlier, interrupted upload had sent. */
  readonly skipped: number;
  readonly refused: number;
}

export interface UploadOptions {
  /** The name or id of a dataset. If it does not exist, it is created. */
  readonly dataset: string;
  /** Whether to label images of a new dataset with the names of their folders. */
  readonly labelsFromFolders?: boolean;
  /** The number of concurrent requests. Default 8. */
  readonly concurrency?: number;
  /** The path of the journal. Default: a file in the user's state folder. */
  readonly journal?: string;
  /** How many seconds the service may be unavailable. Default 600. */
  readonly patienceSeconds?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: UploadProgress) => void;
  /** Called while the service is unavailable. */
  readonly onWait?: (error: Error) => void;
}

export interface RefusedFile {
  readonly path: string;
  readonly reason: string;
}

export interface UploadResult extends UploadProgress {
  readonly dataset: Dataset;
  readonly refusedFiles: readonly RefusedFile[];
}

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_FILES = 100;
const BUFFER_BYTES = 256 * 1024;
/** The maximum per task; an indexed dataset runs one task at a time. */
const MOST_BYTES_ADDED = 256 * 1024 * 1024;
const MOST_FILES_ADDED = 500;
const LONGEST_WAIT_SECONDS = 15;
const MOST_FAILURES = 5;

/**
 * Uploads a folder to a new dataset and starts indexing it, or adds it to an indexed dataset. An interrupted upload continues where it stopped, also
 * after the program was killed: files that the service has received are not sent again.
 */
export async function uploadFolder(
  service: MediaService,
  folder: string,
  options: UploadOptions,
): Promise<UploadResult> {
  const root = await realpath(folder);
  const path = options.journal ?? journalPath(service.connection.url, options.dataset, root);
  return new FolderUpload(service, root, path, options).run();
}

class FolderUpload {
  private readonly refusedFiles: RefusedFile[] = [];
  /** By file extension, the reason why the format is not supported. Such files are not sent. */
  private readonly unsupported = new Map<string, string>();
  private files = 0;
  private bytes = 0;
  private skipped = 0;
  private totalFiles = 0;
  private totalBytes = 0;

  constructor(
    private readonly service: MediaService,
    private readonly folder: string,
    private readonly journalPath: string,
    private readonly options: UploadOptions,
  ) {}

  async run(): Promise<UploadResult> {
    const all = await filesOf(this.folder);
    if (all.length === 0) throw new MediaServiceError(`The folder ${this.folder} contains no files`);
    this.totalFiles = all.length;
    this.totalBytes = all.reduce((sum, { size }) => sum + size, 0);
    const { journal, target } = await this.begin();
    try {
      const pending = all.filter((file) => !journal.has(file));
      this.skipped = all.length - pending.length;
      for (const file of all) if (journal.has(file)) this.count(file);
      this.report();
      const dataset = this.service.dataset(target.datasetId);
      if (target.transactionId === null) await this.addAll(dataset, pending, journal);
      else await this.sendAll(dataset, target.transactionId, pending, journal);
      await journal.finish();
      return { ...this.progress(), dataset, refusedFiles: this.refusedFiles };
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  private progress(): UploadProgress {
    const { files, bytes, totalFiles, totalBytes, skipped } = this;
    return { files, bytes, totalFiles, totalBytes, skipped, refused: this.refusedFiles.length };
  }

  private report(): void {
    this.options.onProgress?.(this.progress());
  }

  private count({ size }: LocalFile): void {
    this.files += 1;
    this.bytes += size;
  }

  /** The target in the journal if it still exists, otherwise a new one. */
  private async begin(): Promise<{ readonly journal: Journal; readonly target: Target }> {
    const journal = await Journal.open(this.journalPath);
    try {
      if (journal.target !== undefined && (await this.isThere(journal.target)))
        return { journal, target: journal.target };
      if (journal.target !== undefined) {
        await journal.finish();
        return await this.begin();
      }
      const target = await this.newTarget();
      await journal.begin(target);
      return { journal, target };
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  private async isThere({ datasetId }: Target): Promise<boolean> {
    try {
      await this.service.dataset(datasetId).get();
      return true;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      throw error;
    }
  }

  private async newTarget(): Promise<Target> {
    const { dataset: wanted } = this.options;
    const all = await this.service.datasets({ include_hidden: true });
    const isKnown = all.some(({ id, display_name: name }) => id === wanted.toLowerCase() || name === wanted);
    const dataset = isKnown ? await this.service.findDataset(wanted) : await this.service.createDraft(wanted);
    const { status_new: status } = await dataset.get();
    if (status !== 'DRAFT') return { datasetId: dataset.id, transactionId: null };
    const params = { path: { dataset_id: dataset.id } };
    const opened = this.service.api.GET('/api/v1/ingestion/{dataset_id}/data_files', { params });
    return { datasetId: dataset.id, transactionId: (await answered(opened)).trans_id };
  }

  private async sendAll(
    dataset: Dataset,
    transactionId: number,
    pending: LocalFile[],
    journal: Journal,
  ): Promise<void> {
    const path = `/api/v1/ingestion/${dataset.id}/data_files/${transactionId}`;
    const batches = batchesOf(pending, MOST_FILES, MOST_BYTES)[Symbol.iterator]();
    const failed = new AbortController();
    const signal =
      this.options.signal === undefined ? failed.signal : AbortSignal.any([failed.signal, this.options.signal]);
    const work = async (): Promise<void> => {
      const buffer = new Uint8Array(BUFFER_BYTES);
      for (let next = batches.next(); !next.done; next = batches.next()) {
        signal.throwIfAborted();
        await this.deliver(next.value, journal, (files) => this.send(path, files, buffer, signal), signal);
      }
    };
    const workers = Array.from({ length: this.options.concurrency ?? 8 }, () =>
      work().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    await settled(workers);
    if (this.files === 0)
      throw new MediaServiceError(
        `None of the ${this.totalFiles} files was accepted: ${this.refusedFiles[0]?.reason ?? ''}`,
      );
    await this.process(dataset, transactionId);
  }

  private async send(
    path: string,
    files: readonly LocalFile[],
    buffer: Uint8Array,
    signal: AbortSignal,
  ): Promise<void> {
    const form = await FileForm.of(this.folder, files);
    const post = (url: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
      postForm(url, headers, form, buffer, signal);
    await this.service.connection.exchange('POST', path, post, signal);
  }

  private async fileOf({ path }: LocalFile): Promise<File> {
    return new File([await openAsBlob(join(this.folder, path))], path);
  }

  /** An earlier run may have been killed after it started the indexing. */
  private async process(dataset: Dataset, transactionId: number): Promise<void> {
    const params = {
      path: { dataset_id: dataset.id, transaction_id: transactionId },
      query: this.options.labelsFromFolders === true ? { labels_from_folders: true } : {},
    };
    try {
      await this.service.api.POST('/api/v1/ingestion/{dataset_id}/process_files/{transaction_id}', { params });
    } catch (error) {
      if (!(error instanceof ConflictError) || !error.detail.includes('processed already')) throw error;
    }
  }

  private async addAll(dataset: Dataset, pending: LocalFile[], journal: Journal): Promise<void> {
    const { signal } = this.options;
    for (const batch of batchesOf(pending, MOST_FILES_ADDED, MOST_BYTES_ADDED)) {
      await dataset.waitUntilIdle(signal === undefined ? {} : { signal });
      let task: Task | undefined;
      const add = async (files: readonly LocalFile[]): Promise<void> => {
        task = await dataset.add({ files: await Promise.all(files.map((file) => this.fileOf(file))) });
      };
      await this.deliver(batch, journal, add, signal);
      if (task !== undefined) await dataset.waitFor(task, signal === undefined ? {} : { signal });
    }
  }

  /** Sends a batch without the files that the service refuses, and records the received ones. */
  private async deliver(
    batch: readonly LocalFile[],
    journal: Journal,
    send: (files: readonly LocalFile[]) => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let files = batch.filter((file) => !this.isUnsupported(file));
    while (files.length > 0) {
      try {
        await this.patiently(() => send(files), signal);
        await journal.received(files);
        for (const file of files) this.count(file);
        break;
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) throw error;
        const refused = refusedOf(files, error.detail);
        if (refused === undefined) {
          const half = Math.ceil(files.length / 2);
          await this.deliver(files.slice(0, half), journal, send, signal);
          files = files.slice(half);
          continue;
        }
        this.refuse(refused, error.detail);
        files = files.filter((file) => file !== refused && !this.isUnsupported(file));
      }
    }
    this.report();
  }

  private isUnsupported(file: LocalFile): boolean {
    const reason = this.unsupported.get(endOf(file.path));
    if (reason !== undefined) this.refusedFiles.push({ path: file.path, reason });
    return reason !== undefined;
  }

  private refuse(file: LocalFile, reason: string): void {
    this.refusedFiles.push({ path: file.path, reason });
    if (reason.startsWith('Unsupported file format')) this.unsupported.set(endOf(file.path), 'Unsupported file format');
  }

  /** Retries while the service is unavailable, up to the configured time. */
  private async patiently(send: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    const end = Date.now() + (this.options.patienceSeconds ?? 600) * 1000;
    for (let failures = 1; ; failures += 1) {
      try {
        return await send();
      } catch (error) {
        const isAway = error instanceof ConnectionError || (error instanceof ServiceError && error.status === 503);
        const mayPass = isAway || (error instanceof ServiceError && failures < MOST_FAILURES);
        if (!mayPass || Date.now() > end) throw error;
        this.options.onWait?.(error);
        await delay(Math.min(2 ** failures * 0.25, LONGEST_WAIT_SECONDS), signal);
      }
    }
  }
}

const endOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? name : name.slice(dot).toLowerCase();
};

/** The file that an error names, or the only file of the batch; undefined if unknown. */
function refusedOf(files: readonly LocalFile[], detail: string): LocalFile | undefined {
  if (files.length === 1) return files[0];
  const named = files.filter(({ path }) => detail.endsWith(path));
  return named.sort((a, b) => b.path.length - a.path.length)[0];
}

function* batchesOf(
  files: readonly LocalFile[],
  mostFiles: number,
  mostBytes: number,
): Generator<LocalFile[], void, undefined> {
  let batch: LocalFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && (batch.length >= mostFiles || bytes + file.size > mostBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.size;
  }
  if (batch.length > 0) yield batch;
}

/** Waits for all workers even if one fails, then throws the first error. */
async function settled(workers: readonly Promise<void>[]): Promise<void> {
  const first = Promise.all(workers);
  await Promise.allSettled(workers);
  await first;
}
