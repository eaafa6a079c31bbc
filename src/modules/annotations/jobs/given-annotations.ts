import type { MediaRow } from '../../../common/engine/media-table/media-row';
import { normalizedPath } from '../../ingestion/for-operations';
import type { Annotation } from '../domain/annotation';
import type { Unmatched } from '../domain/unmatched';

export const NAMED_FIELDS = ['id', 'kind', 'path'] as const;
export type NamedRow = Pick<MediaRow, (typeof NAMED_FIELDS)[number]>;

/** What people say about the media of a dataset, looked up by medium. */
export interface GivenAnnotations {
  /** Whether they name media by path, which only whole rows have. */
  readonly byPath: boolean;
  readonly changesLabels: boolean;
  about(row: NamedRow): readonly Annotation[];
  /** Those that are about none of the rows. */
  unmatched(rows: AsyncIterable<NamedRow>): Promise<Unmatched>;
}

const isNamedByPath = ({ kind }: NamedRow): boolean => kind === 'IMAGE' || kind === 'FRAME';

/** The annotations of a request. */
export class ListedAnnotations implements GivenAnnotations {
  readonly byPath: boolean;
  readonly changesLabels: boolean;
  private readonly ofId: ReadonlyMap<string, readonly Annotation[]>;
  private readonly ofPath: ReadonlyMap<string, readonly Annotation[]>;

  constructor(private readonly annotations: readonly Annotation[]) {
    this.ofId = grouped(annotations, ({ mediaId }) => mediaId);
    this.ofPath = grouped(annotations, ({ fileName }) => fileName && normalizedPath(fileName));
    this.byPath = this.ofPath.size > 0;
    this.changesLabels = annotations.some(({ labels }) => labels !== undefined);
  }

  about(row: NamedRow): readonly Annotation[] {
    if (row.kind === 'VIDEO') return [];
    const named = this.byPath && isNamedByPath(row) ? this.ofPath.get(normalizedPath(row.path)) : undefined;
    return [...(this.ofId.get(row.id) ?? []), ...(named ?? [])];
  }

  async unmatched(rows: AsyncIterable<NamedRow>): Promise<Unmatched> {
    const matched = new Set<Annotation>();
    for await (const row of rows) for (const annotation of this.about(row)) matched.add(annotation);
    const names = this.annotations
      .filter((annotation) => !matched.has(annotation))
      .map(({ mediaId, fileName }) => mediaId ?? fileName ?? '');
    return { names, count: names.length, total: this.annotations.length };
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
