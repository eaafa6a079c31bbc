import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { ComparedRow, RowSource } from '../../ingestion/for-operations';
import { normalizedPath } from '../../ingestion/for-operations';
import { annotated, relabelled, type Annotation, type AnnotationMode } from '../domain/annotation';

type NamedRow = Pick<MediaRow, 'id' | 'kind' | 'path'>;

const BY_PATH: readonly MediaRow['kind'][] = ['IMAGE', 'FRAME'];

/** The rows of a source with what people say about them. */
export class AnnotatedRows implements RowSource {
  /** Those that are about a row, once `rows` has been read. */
  readonly matched = new Set<Annotation>();
  private readonly byId: ReadonlyMap<string, readonly Annotation[]>;
  private readonly byPath: ReadonlyMap<string, readonly Annotation[]>;

  constructor(
    private readonly source: RowSource,
    annotations: readonly Annotation[],
    private readonly mode: AnnotationMode,
  ) {
    this.byId = grouped(annotations, ({ mediaId }) => mediaId);
    this.byPath = grouped(annotations, ({ fileName }) => fileName && normalizedPath(fileName));
  }

  get counts(): RowSource['counts'] {
    return this.source.counts;
  }

  async *rows(): AsyncGenerator<MediaRow> {
    for await (const row of this.source.rows()) {
      let now = row;
      for (const annotation of this.about(row)) {
        this.matched.add(annotation);
        now = annotated(now, annotation, this.mode);
      }
      yield now;
    }
  }

  async *comparedRows(): AsyncGenerator<ComparedRow> {
    if (this.byPath.size === 0) {
      for await (const row of this.source.comparedRows()) yield this.relabelled(row, this.byId.get(row.id));
      return;
    }
    // Only whole rows have paths.
    for await (const row of this.source.rows()) yield this.relabelled(row, this.about(row));
  }

  private relabelled<Row extends ComparedRow>(row: Row, annotations: readonly Annotation[] = []): Row {
    return annotations.reduce((now, annotation) => relabelled(now, annotation, this.mode), row);
  }

  private about({ id, kind, path }: NamedRow): readonly Annotation[] {
    if (kind === 'VIDEO') return [];
    const named = BY_PATH.includes(kind) ? this.byPath.get(normalizedPath(path)) : undefined;
    return [...(this.byId.get(id) ?? []), ...(named ?? [])];
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
