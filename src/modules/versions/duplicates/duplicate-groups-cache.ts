import { BoundedCache, type CacheUsage } from '../../../common/platform/cache/bounded-cache';
import { readEdges, type NearPairs } from '../../../common/engine/media-table/edges-file';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { versionName } from '../../../common/engine/media-table/table-version';
import { cosineOf } from '../../../common/engine/similarity/near-duplicates';
import { SAME_BYTES } from '../../../common/engine/similarity/similarity-structure';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import type { DatasetPointer } from '../../datasets';
import { KINDS_OF, kindSet, type EntityType, type KindSet } from '../domain/entity-type';
import { inSlices } from '../../../common/platform/concurrency/in-slices';
import { DuplicateGroups, keptSimilarity } from './domain/duplicate-groups';
import type { ReadVectors } from './domain/neighbour-lists';
import { groupDuplicates } from './group-duplicates';

const VECTORS_AT_ONCE = 4096;

interface DuplicatesOf {
  readonly table: MediaTable;
  readonly pointer: Pick<DatasetPointer, 'nearDuplicates'>;
}

/** Caches groups of near duplicates and their pairs, within a budget of bytes that all datasets share. */
export class DuplicateGroupsCache {
  private readonly pairs: BoundedCache<NearPairs>;
  private readonly groups: BoundedCache<DuplicateGroups>;

  constructor(
    private readonly store: ObjectStore,
    budgetBytes: number,
  ) {
    this.pairs = new BoundedCache(budgetBytes / 2, bytesOf, { keepsLast: true });
    this.groups = new BoundedCache(budgetBytes / 2, ({ bytes }) => bytes, { keepsLast: true });
  }

  get bytes(): number {
    return this.pairs.weight + this.groups.weight;
  }

  /** Pairs are asked for only where groups are missing, so their hits do not count. */
  get usage(): CacheUsage {
    return { ...this.groups.usage, bytes: this.bytes };
  }

  /** Throws for a similarity below that of the stored pairs. Videos have no duplicates, but their frames do, together with images. */
  async open({ table, pointer }: DuplicatesOf, entityType: EntityType, similarity: number): Promise<DuplicateGroups> {
    return this.from(cosineOf(keptSimilarity(similarity), pointer.nearDuplicates), table, entityType);
  }

  /** Groups of files with the same bytes. */
  copies(table: MediaTable, entityType: EntityType): Promise<DuplicateGroups> {
    return this.from(SAME_BYTES, table, entityType);
  }

  private from(cosine: number, table: MediaTable, entityType: EntityType): Promise<DuplicateGroups> {
    const key = `${versionName(table.at)}/${entityType}`;
    return this.groups.getOrLoad(`${key}/${cosine}`, async () => {
      if (entityType === 'VIDEOS' || table.rows === 0) return DuplicateGroups.none(table.rows);
      const pairs = await this.pairs.getOrLoad(key, () => this.read(table, entityType));
      return groupDuplicates(pairs, cosine, table.rows, vectorsOf(table));
    });
  }

  private async read(table: MediaTable, entityType: EntityType): Promise<NearPairs> {
    const pairs = await readEdges(this.store, table.at);
    const kinds = new Int8Array(table.rows);
    for await (const { first, columns } of table.readColumns(['kind'])) kinds.set(columns['kind'] as Int8Array, first);
    return pairsAmong(pairs, kinds, kindSet(KINDS_OF[entityType]));
  }
}

const bytesOf = ({ first, second, cosine }: NearPairs): number =>
  first.byteLength + second.byteLength + cosine.byteLength;

/** Both rows of a pair have the same type, so checking one is enough. */
async function pairsAmong(pairs: NearPairs, kinds: Int8Array, set: KindSet): Promise<NearPairs> {
  const total = pairs.first.length;
  const places = new Int32Array(total);
  let count = 0;
  await inSlices(total, (from, to) => {
    for (let pair = from; pair < to; pair++) {
      const kind = kinds[pairs.first[pair]!];
      if (kind !== undefined && (set & (1 << kind)) !== 0) places[count++] = pair;
    }
  });
  if (count === total) return pairs;
  const kept = { first: new Int32Array(count), second: new Int32Array(count), cosine: new Float32Array(count) };
  await inSlices(count, (from, to) => {
    for (let at = from; at < to; at++) {
      const pair = places[at]!;
      kept.first[at] = pairs.first[pair]!;
      kept.second[at] = pairs.second[pair]!;
      kept.cosine[at] = pairs.cosine[pair]!;
    }
  });
  return kept;
}

const vectorsOf =
  (table: MediaTable): ReadVectors =>
  async (rows) => {
    const vectors = new Float32Array(rows.length * table.dimensions.embedding);
    for (let at = 0; at < rows.length; at += VECTORS_AT_ONCE) {
      const taken = await table.takeRows(rows.subarray(at, at + VECTORS_AT_ONCE), ['embedding']);
      taken.forEach(({ embedding }, i) => vectors.set(embedding!, (at + i) * table.dimensions.embedding));
    }
    return vectors;
  };
