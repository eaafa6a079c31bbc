import { postForm } from '../../api/client';
import { ANNOTATION_NAMES } from './annotation-rules';
import { changePercent, notesOf, tasksOf } from './dataset-changes';
import type { GrowingDataset } from './growth-rules';
import type { PathFile } from './picked-files';
import { importForm, MOST_SOURCE_FILES, type SourceImport } from './source-import';
import type { BatchLimits } from './upload-rules';
import { formOf, type UploadTarget } from './upload-target';

export const ANNOTATION_MODES = ['add', 'replace'] as const;
export type AnnotationMode = (typeof ANNOTATION_MODES)[number];

/** How annotation files are sent. */
export interface SentAnnotations {
  readonly mostFiles: number;
  readonly formOf: (files: readonly PathFile[]) => FormData;
}

/** Files with the names of annotation files at creation. */
export const namedAnnotations = (mode: AnnotationMode): SentAnnotations => ({
  mostFiles: ANNOTATION_NAMES.size,
  formOf: (files) => {
    const form = formOf('files', files);
    form.set('mode', mode);
    return form;
  },
});

/** Files of any tool. */
export const sourceAnnotations = (into: SourceImport): SentAnnotations => ({
  mostFiles: MOST_SOURCE_FILES,
  formOf: (files) => importForm(into, files),
});

/** A dataset whose media are given what annotation files say: all of them are one request, and one task. */
export class GivenAnnotations implements UploadTarget {
  readonly kind = 'annotation';
  readonly most: BatchLimits;
  readonly name: string;
  private readonly datasetId: string;
  private readonly notes: string[] = [];
  /** Until it has ended. */
  private taskId: string | undefined;

  constructor(
    { id, display_name: name }: Pick<GrowingDataset, 'id' | 'display_name'>,
    private readonly sent: SentAnnotations,
  ) {
    this.most = { files: sent.mostFiles, bytes: Infinity };
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
    const path = `/api/v1/dataset/${this.datasetId}/annotations/files`;
    const response = await postForm(path, this.sent.formOf(files), onSent);
    this.taskId = ((await response.json()) as { task_id: string }).task_id;
  }

  finish(): Promise<readonly string[]> {
    return Promise.resolve(this.notes);
  }
}
