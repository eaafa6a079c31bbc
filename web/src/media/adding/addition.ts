import { ApiError, type Task } from 'dataset-media-service-sdk';
import { postForm, service } from '../../api/client';
import { changePercent, notesOf, tasksOf } from './dataset-changes';
import type { PathFile } from './picked-files';
import { formOf, type UploadTarget } from './upload-target';

/** Of one task: a dataset takes one at a time. */
export const MOST_ADDED = { files: 500, bytes: 256 * 1024 * 1024 };

interface AddedTo {
  readonly id: string;
  readonly display_name: string;
}

export interface MediaLocation {
  readonly uri: string;
  /** The ARN of a role to read a bucket with; empty without any. */
  readonly role: string;
}

export const addFromLocation = (
  datasetId: string,
  { uri, role }: MediaLocation,
  reindexes: boolean,
): Promise<Response> => {
  const body = new FormData();
  body.set('s3_uri', uri);
  if (role !== '') body.set('assume_role', role);
  body.set('auto_reindex', String(reindexes));
  return service.connection.request(`/api/v1/dataset/${datasetId}/add_media`, { method: 'POST', body });
};

/** The mistake in the role; undefined if the error is another one. */
export const roleErrorOf = (error: Error | null): string | undefined =>
  error instanceof ApiError ? error.items.find(({ loc }) => loc.includes('assume_role'))?.msg : undefined;

/** A dataset that the files, or those of an archive, are added to: every request is a task, and the next one waits for its end. */
export class Addition implements UploadTarget {
  readonly kind = 'addition';
  readonly most = MOST_ADDED;
  readonly name: string;
  private readonly datasetId: string;
  private readonly notes: string[] = [];
  /** The newest addition before ours, until ours has ended. */
  private previous: { readonly taskId: string | undefined } | undefined;
  private leavesReindex: boolean;

  constructor(
    { id, display_name: name }: AddedTo,
    private readonly field: 'files' | 'archive',
    private readonly reindexes: boolean,
  ) {
    this.datasetId = id;
    this.name = name;
    this.leavesReindex = reindexes;
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  async changePercent(): Promise<number | null> {
    const tasks = await tasksOf(this.datasetId);
    const percent = changePercent(tasks);
    if (percent !== null) return percent;
    const { previous } = this;
    this.previous = undefined;
    const last = newestAddition(tasks);
    if (previous !== undefined && last !== undefined && last.task_id !== previous.taskId)
      this.notes.push(...notesOf(last));
    return null;
  }

  async send(files: readonly PathFile[], isLast: boolean, onSent: (part: number) => void): Promise<void> {
    const previous = { taskId: newestAddition(await tasksOf(this.datasetId))?.task_id };
    const form = formOf(this.field, files);
    const reindexes = isLast && this.reindexes;
    form.set('auto_reindex', String(reindexes));
    await postForm(`/api/v1/dataset/${this.datasetId}/add_media`, form, onSent);
    this.previous = previous;
    if (reindexes) this.leavesReindex = false;
  }

  async finish(): Promise<readonly string[]> {
    if (this.leavesReindex) await this.reindex();
    return this.notes;
  }

  /** The batch that would have asked for it was refused as a whole. */
  private async reindex(): Promise<void> {
    const { status_new: status } = await service.dataset(this.datasetId).get();
    if (status !== 'PARTIAL INDEX') return;
    const params = { path: { dataset_id: this.datasetId } };
    await service.api.POST('/api/v1/dataset/{dataset_id}/reindex', { params });
  }
}

const newestAddition = (tasks: readonly Task[]): Task | undefined =>
  tasks.find(({ task_type: type }) => type === 'MEDIA_ADDITION');
