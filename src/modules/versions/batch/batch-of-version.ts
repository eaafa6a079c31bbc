import type { KeywordQuery } from '../../../common/engine/media-table/caption-index';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import type { EntityType } from '../domain/entity-type';
import { sqlOf } from '../columns/domain/text-condition';
import type { DuplicateGroups } from '../duplicates/domain/duplicate-groups';
import type { VersionContent } from '../opened-version';
import type { TagAssignments } from '../tags/domain/tag-assignments';
import type { TextVector } from '../vectors/text-vectors';

type BatchContent = Pick<VersionContent, 'pointer' | 'table' | 'caches' | 'texts'>;

/** The media of one batch, in one version of a dataset. Results for the whole version are shared by all queries. */
export class BatchOfVersion {
  private readonly hits = new Map<string, Promise<Int32Array>>();
  private readonly texts = new Map<string, Promise<readonly TextVector[]>>();

  private constructor(
    private readonly of: BatchContent,
    /** Ascending. */
    readonly ordinals: Int32Array,
  ) {}

  static async open(of: BatchContent, batchId: string): Promise<BatchOfVersion> {
    const ordinals = await of.table.filterOrdinals(sqlOf({ field: 'batchId', op: 'one_of', values: [batchId] }));
    return new BatchOfVersion(of, ordinals);
  }

  get table(): MediaTable {
    return this.of.table;
  }

  tags(): Promise<TagAssignments> {
    return this.of.caches.tags.open(this.of.pointer);
  }

  duplicates(entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.of.caches.duplicates.open(this.table, entityType, similarity);
  }

  /** Hits within the batch, ascending. */
  keywordHits(query: KeywordQuery): Promise<Int32Array> {
    return memoize(this.hits, JSON.stringify(query), async () => {
      const { rows } = await this.table.keywordHits(query);
      return this.ordinals.filter((ordinal) => rows.has(ordinal));
    });
  }

  /** Empty if no model has a vector for the text. */
  textVectors(text: string): Promise<readonly TextVector[]> {
    return memoize(this.texts, text, () => this.of.texts.of(this.of.pointer, this.table, text));
  }
}

/** Failures are not cached. */
function memoize<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const present = known.get(key);
  if (present !== undefined) return present;
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}
