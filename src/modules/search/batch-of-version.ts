import type { KeywordQuery } from '../../common/engine/media-table/keyword-query';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import type { DatasetPointer } from '../datasets';
import type { EntityType } from './domain/entity-type';
import { sqlOf } from './domain/text-condition';
import type { DuplicateGroups } from './duplicates/duplicate-groups';
import type { VersionParts } from './opened-version';
import type { TagAssignments } from './tags/domain/tag-assignments';
import type { TextVector } from './text-vectors';

/** The media of one batch, in one version of a dataset. Results for the whole version are shared by all queries. */
export class BatchOfVersion {
  private readonly hits = new Map<string, Promise<Int32Array>>();
  private readonly texts = new Map<string, Promise<readonly TextVector[]>>();

  private constructor(
    private readonly pointer: DatasetPointer,
    readonly table: MediaTable,
    /** Ascending. */
    readonly ordinals: Int32Array,
    private readonly parts: VersionParts,
  ) {}

  static async open(
    pointer: DatasetPointer,
    table: MediaTable,
    batchId: string,
    parts: VersionParts,
  ): Promise<BatchOfVersion> {
    const ordinals = await table.filterOrdinals(sqlOf({ field: 'batchId', op: 'one_of', values: [batchId] }));
    return new BatchOfVersion(pointer, table, ordinals, parts);
  }

  tags(): Promise<TagAssignments> {
    return this.parts.tags(this.pointer);
  }

  duplicates(entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.parts.duplicates(this.table, entityType, similarity);
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
    return memoize(this.texts, text, () => this.parts.textVectors(this.pointer, this.table, text));
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
