import { answered, postForm, service } from '../../api/client';
import { texts } from '../../texts';
import type { PathFile } from './picked-files';
import { formOf, type UploadTarget } from './upload-target';

const MEGABYTE = 1_000_000;

/** A dataset that is created of the files. */
export class NewDataset implements UploadTarget {
  readonly kind = 'creation';
  readonly most = { files: 50, bytes: 256 * MEGABYTE };
  private readonly notes: string[] = [];
  private isFinished = false;
  private opened: { readonly datasetId: string; readonly transactionId: number } | undefined;

  /** Without the id of a draft, one is made. */
  constructor(
    readonly name: string,
    private readonly labelsFromFolders: boolean,
    private draftId?: string,
  ) {}

  async open(): Promise<void> {
    if (this.opened !== undefined) return;
    this.draftId ??= (await service.createDraft(this.name)).id;
    const params = { path: { dataset_id: this.draftId } };
    const { trans_id } = await answered(service.api.GET('/api/v1/ingestion/{dataset_id}/data_files', { params }));
    this.opened = { datasetId: this.draftId, transactionId: trans_id };
  }

  async changePercent(): Promise<number | null> {
    if (!this.isFinished) return null;
    const dataset = await service.dataset(this.opened!.datasetId).get();
    if (dataset.status_new === 'INDEXING') return dataset.progress;
    if (dataset.status_new === 'ERROR') this.notes.push(dataset.fatal_error_msg ?? '');
    if (dataset.status_new === 'DRAFT') this.notes.push(texts.adding.upload.aborted);
    return null;
  }

  async send(files: readonly PathFile[], _isLast: boolean, onSent: (part: number) => void): Promise<void> {
    const { datasetId, transactionId } = this.opened!;
    await postForm(`/api/v1/ingestion/${datasetId}/data_files/${transactionId}`, formOf('files', files), onSent);
  }

  async finish(): Promise<readonly string[]> {
    const { datasetId, transactionId } = this.opened!;
    const params = {
      path: { dataset_id: datasetId, transaction_id: transactionId },
      query: { labels_from_folders: this.labelsFromFolders },
    };
    await service.api.POST('/api/v1/ingestion/{dataset_id}/process_files/{transaction_id}', { params });
    this.isFinished = true;
    return this.notes;
  }
}
