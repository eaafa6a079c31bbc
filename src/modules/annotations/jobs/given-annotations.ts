import { z } from 'zod';
import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { normalizedPath, ANNOTATION_FILE_NAMES, type AnnotationFileName, workPrefix } from '../../tables';
import { type Annotation, type GivenObject, type Unmatched, ANNOTATION_MODES } from '../domain/annotation';
import { defineJob } from '../../../common/platform/jobs/job-type';
import type { OperationPayload, StoppableOperation } from '../../tasks';

export const ANNOTATE_MEDIA = defineJob<OperationPayload>('annotate-media');

const annotationParameters = z.object({
  mode: z.enum(ANNOTATION_MODES),
  /** The received files; absent for annotations in a request. */
  files: z.array(z.object({ name: z.enum(ANNOTATION_FILE_NAMES), size: z.int() })).optional(),
  /** Whether the labels are the names of the folders that files lie in. */
  folders: z.boolean().optional(),
  /** The source whose annotations become objects, instead. */
  objectsOf: z.string().optional(),
  /** Of values of one field that were declared before, for their report. */
  importId: z.uuid().optional(),
  /** The annotated table. The request is kept for a retry until the dataset has another table. */
  base: z.object({ generation: z.string(), version: z.int() }).optional(),
});
export type AnnotationParameters = z.infer<typeof annotationParameters>;

export const ANNOTATING: StoppableOperation<AnnotationParameters> = {
  task: 'ANNOTATION',
  job: ANNOTATE_MEDIA,
  parameters: annotationParameters,
  begun: 'annotation-started',
  failed: () => ({ event: 'annotation-completed', progress: 100 }),
  stoppable: { aborted: 'annotation-completed', retried: 'annotation-started' },
};

/** Where the annotations of a task wait for its job. */
export const annotationsKey = (taskId: string): string => `${workPrefix(taskId)}annotations.json`;

export const annotationFileKey = (taskId: string, name: AnnotationFileName): string => `${workPrefix(taskId)}${name}`;

/** Values of one field, sent after it was declared. */
export const IMPORTING_METADATA: StoppableOperation<AnnotationParameters> = { ...ANNOTATING, task: 'CUSTOM_METADATA' };

const NAMED_FIELDS = ['id', 'kind', 'path'] as const;
export type NamedRow = Pick<MediaRow, (typeof NAMED_FIELDS)[number]>;

/** The annotations of a task, looked up by medium. */
export interface GivenAnnotations {
  /** Whether they name media by path, which only whole rows have. */
  readonly byPath: boolean;
  readonly changesLabels: boolean;
  /** Whether they change rows that are there, and not only add objects. */
  readonly changesRows: boolean;
  readonly hasObjects: boolean;
  about(row: NamedRow): readonly Annotation[];
  /** The annotations that match no row. */
  unmatched(rows: AsyncIterable<NamedRow>): Promise<Unmatched>;
}

/** Undefined if nothing is said about the objects of a picture. */
export function givenObjects(given: GivenAnnotations, row: NamedRow): readonly GivenObject[] | undefined {
  const said = given.about(row).flatMap(({ objects }) => (objects === undefined ? [] : [objects]));
  return said.length === 0 ? undefined : said.flat();
}

/** Whether a row has a path of its own, and may have objects. */
export const isPicture = ({ kind }: Pick<NamedRow, 'kind'>): boolean => kind === 'IMAGE' || kind === 'FRAME';

const changesRow = ({ labels, caption, metadata }: Annotation): boolean =>
  [labels, caption, metadata].some((each) => each !== undefined);

/** The annotations of a request. */
export class ListedAnnotations implements GivenAnnotations {
  readonly byPath: boolean;
  readonly changesLabels: boolean;
  readonly changesRows: boolean;
  readonly hasObjects: boolean;
  private readonly ofId: ReadonlyMap<string, readonly Annotation[]>;
  private readonly ofPath: ReadonlyMap<string, readonly Annotation[]>;

  constructor(private readonly annotations: readonly Annotation[]) {
    this.ofId = grouped(annotations, ({ mediaId }) => mediaId);
    this.ofPath = grouped(annotations, ({ fileName }) => fileName && normalizedPath(fileName));
    this.byPath = this.ofPath.size > 0;
    this.changesLabels = annotations.some(({ labels }) => labels !== undefined);
    this.changesRows = annotations.some(changesRow);
    this.hasObjects = annotations.some(({ objects }) => objects !== undefined);
  }

  about(row: NamedRow): readonly Annotation[] {
    if (row.kind === 'VIDEO') return [];
    const named = this.byPath && isPicture(row) ? this.ofPath.get(normalizedPath(row.path)) : undefined;
    return [...(this.ofId.get(row.id) ?? []), ...(named ?? [])];
  }

  async unmatched(rows: AsyncIterable<NamedRow>): Promise<Unmatched> {
    const matched = new Set<Annotation>();
    for await (const row of rows)
      for (const annotation of this.about(row)) if (isPicture(row) || changesRow(annotation)) matched.add(annotation);
    const unmatched = this.annotations.filter((annotation) => !matched.has(annotation));
    return {
      names: unmatched.map(({ mediaId, fileName }) => mediaId ?? fileName ?? ''),
      rows: unmatched.flatMap(({ row }) => row ?? []),
      count: unmatched.length,
      total: this.annotations.length,
    };
  }
}

function grouped(
  annotations: readonly Annotation[],
  keyOf: (annotation: Annotation) => string | undefined,
): Map<string, Annotation[]> {
  const groups = new Map<string, Annotation[]>();
  for (const annotation of annotations) {
    const key = keyOf(annotation);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [annotation]);
    else group.push(annotation);
  }
  return groups;
}

export async function* namedRows(table: MediaTable, signal: AbortSignal): AsyncGenerator<NamedRow> {
  for await (const batch of table.readRows(NAMED_FIELDS)) {
    signal.throwIfAborted();
    yield* batch;
  }
}
