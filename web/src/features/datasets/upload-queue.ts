import { InvalidRequestError, UnauthenticatedError } from 'dataset-media-service-sdk';
import { answered, isOutage, service } from '../../api/client';
import { connection } from '../../api/connection-state';
import { texts } from '../../texts';

export interface PathFile {
  readonly path: string;
  readonly file: File;
}

export interface RefusedFile {
  readonly path: string;
  readonly reason: string;
}

export interface UploadState {
  readonly name: string;
  readonly total: number;
  readonly done: number;
  readonly refused: readonly RefusedFile[];
  readonly phase: 'sending' | 'waiting' | 'signed-out' | 'failed' | 'indexing';
  readonly failure: string | null;
}

const BATCH = 50;
const LONGEST_WAIT_MS = 10_000;

/** Sends files in batches, waits while the service is away, and goes on after a failure where it was. */
export class UploadQueue {
  private state: UploadState;
  private pending: PathFile[];
  private target: { readonly datasetId: string; readonly transactionId: number } | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    readonly id: number,
    name: string,
    files: readonly PathFile[],
  ) {
    this.pending = [...files];
    this.state = { name, total: files.length, done: 0, refused: [], phase: 'sending', failure: null };
  }

  readonly read = (): UploadState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  async run(): Promise<void> {
    this.change({ phase: 'sending', failure: null });
    const release = connection.hold();
    try {
      this.target ??= await this.patiently(() => this.open());
      const { datasetId, transactionId } = this.target;
      while (this.pending.length > 0) await this.sendBatch(this.pending.slice(0, BATCH));
      if (this.state.refused.length === this.state.total) throw new Error(texts.datasets.upload.nothing);
      const params = { path: { dataset_id: datasetId, transaction_id: transactionId } };
      await this.patiently(() =>
        service.api.POST('/api/v1/ingestion/{dataset_id}/process_files/{transaction_id}', { params }),
      );
      this.change({ phase: 'indexing' });
    } catch (error) {
      this.change({ phase: 'failed', failure: error instanceof Error ? error.message : String(error) });
    } finally {
      release();
    }
  }

  private async open(): Promise<{ datasetId: string; transactionId: number }> {
    const { id } = await service.createDraft(this.state.name);
    const params = { path: { dataset_id: id } };
    const opened = await answered(service.api.GET('/api/v1/ingestion/{dataset_id}/data_files', { params }));
    return { datasetId: id, transactionId: opened.trans_id };
  }

  /** A batch with a file that the service refuses is sent again without it. */
  private async sendBatch(batch: readonly PathFile[]): Promise<void> {
    try {
      await this.patiently(() => this.send(batch));
      this.settle(batch);
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const refused = refusedOf(batch, error.detail);
      if (refused === undefined) {
        await this.sendBatch(batch.slice(0, Math.ceil(batch.length / 2)));
        return;
      }
      this.settle([refused], error.detail);
    }
  }

  private async send(batch: readonly PathFile[]): Promise<void> {
    const { datasetId, transactionId } = this.target!;
    const form = new FormData();
    for (const { path, file } of batch) form.append('files', file, path);
    await service.connection.request(`/api/v1/ingestion/${datasetId}/data_files/${transactionId}`, {
      method: 'POST',
      body: form,
    });
  }

  private settle(files: readonly PathFile[], reason?: string): void {
    const settled = new Set(files);
    this.pending = this.pending.filter((each) => !settled.has(each));
    const refused = reason === undefined ? [] : files.map(({ path }) => ({ path, reason }));
    this.change({ done: this.state.done + files.length, refused: [...this.state.refused, ...refused] });
  }

  private async patiently<T>(call: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const answer = await call();
        this.change({ phase: 'sending' });
        return answer;
      } catch (error) {
        if (error instanceof UnauthenticatedError) {
          this.change({ phase: 'signed-out' });
          await connection.untilSignedIn();
          continue;
        }
        if (!isOutage(error)) throw error;
        this.change({ phase: 'waiting' });
        await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, LONGEST_WAIT_MS)));
      }
    }
  }

  private change(part: Partial<UploadState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

/** The file that an error names; the only one if it is alone. */
function refusedOf(batch: readonly PathFile[], detail: string): PathFile | undefined {
  if (batch.length === 1) return batch[0];
  const named = batch.filter(({ path }) => detail.endsWith(path));
  return named.sort((a, b) => b.path.length - a.path.length)[0];
}
