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
  /** Below that of the dataset. */
  readonly route: 'annotations/files' | 'evaluations/import';
  readonly mostFiles: number;
  readonly formOf: (files: readonly PathFile[]) => FormData;
  /** When the evaluation of what is imported is there, before the import has ended. */
  readonly onEvaluation?: (evaluationId: string) => void;
}

/** Files with the names of annotation files at creation. */
export const namedAnnotations = (mode: AnnotationMode): SentAnnotations => ({
  route: 'annotations/files',
  mostFiles: ANNOTATION_NAMES.size,
  formOf: (files) => {
    const form = formOf('files', files);
    form.set('mode', mode);
    return form;
  },
});

/** Files of any tool. */
export const sourceAnnotations = (into: SourceImport): SentAnnotations => ({
  route: 'annotations/files',
  mostFiles: MOST_SOURCE_FILES,
  formOf: (files) => importForm(into, files),
});

/** Files of any tool, and the evaluation of what they say. */
export const evaluatedAnnotations = (
  into: SourceImport,
  evaluation: object,
  onEvaluation: (evaluationId: string) => void,
): SentAnnotations => ({
  route: 'evaluations/import',
  mostFiles: MOST_SOURCE_FILES,
  formOf: (files) => importForm(into, files, { evaluation: JSON.stringify(evaluation) }),
  onEvaluation,
});

interface Started {
  readonly task_id: string;
  readonly evaluation_id?: string;
}

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
    const path = `/api/v1/dataset/${this.datasetId}/${this.sent.route}`;
    const response = await postForm(path, this.sent.formOf(files), onSent);
    const { task_id: taskId, evaluation_id: evaluationId } = (await response.json()) as Started;
    this.taskId = taskId;
    if (evaluationId !== undefined) this.sent.onEvaluation?.(evaluationId);
  }

  finish(): Promise<readonly string[]> {
    return Promise.resolve(this.notes);
  }
}
