import { postForm } from '../../api/client';
import { ANNOTATION_NAMES } from './annotation-rules';
import { changePercent, notesOf, tasksOf } from './dataset-changes';
import type { GrowingDataset } from './growth-rules';
import type { PathFile } from './picked-files';
import { formOf, type UploadTarget } from './upload-target';

export const ANNOTATION_MODES = ['add', 'replace'] as const;
export type AnnotationMode = (typeof ANNOTATION_MODES)[number];

/** A dataset whose media are given what annotation files say: all of them are one request, and one task. */
export class GivenAnnotations implements UploadTarget {
  readonly kind = 'annotation';
  readonly most = { files: ANNOTATION_NAMES.size, bytes: Infinity };
  readonly name: string;
  private readonly datasetId: string;
  private readonly notes: string[] = [];
  /** Until it has ended. */
  private taskId: string | undefined;

  constructor(
    { id, display_name: name }: Pick<GrowingDataset, 'id' | 'display_name'>,
    private readonly mode: AnnotationMode,
  ) {
    this.datasetId = id;
    this.name = name;
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  async changePercent(): Promise<number | null> {
    const tasks = await tasksOf(this.datasetId);
    const percent = changePercent(tasks);
    if (percent !== null) return percent;
    const task = tasks.find(({ task_id: id }) => id === this.taskId);
    this.taskId = undefined;
    if (task !== undefined) this.notes.push(...notesOf(task));
    return null;
  }

  async send(files: readonly PathFile[], _isLast: boolean, onSent: (part: number) => void): Promise<void> {
    const form = formOf('files', files);
    form.set('mode', this.mode);
    const response = await postForm(`/api/v1/dataset/${this.datasetId}/annotations/files`, form, onSent);
    this.taskId = ((await response.json()) as { task_id: string }).task_id;
  }

  finish(): Promise<readonly string[]> {
    return Promise.resolve(this.notes);
  }
}
