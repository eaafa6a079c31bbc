import { inList, literal } from '../../media-table/literal';
import type { EntityKind } from '../../media-table/media-row';
import { CLUSTER_COLUMNS, kindCode, NO_PLACE, PLACE_COLUMNS } from '../../media-table/media-schema';
import type { NumberArray } from '../../media-table/column-data';
import type { MediaTable } from '../../media-table/media-table';
import type { ClusterLevels, KnownItems, KnownVectors } from './placement';

/** The number of hashes in one query. */
const CONTENTS_AT_ONCE = 1000;

/** Reads the rows of kinds that are compared with each other. */
export async function readKnownItems(table: MediaTable, kinds: readonly EntityKind[]): Promise<KnownItems> {
  const isKnown = kindTest(kinds);
  const clusters = CLUSTER_COLUMNS.map(() => new Int32Array(table.rows)) as unknown as ClusterLevels;
  const freeCluster = CLUSTER_COLUMNS.map(() => 0);
  const measures = new Measures();
  const places = { x: new Float32Array(table.rows), y: new Float32Array(table.rows) };
  let count = 0;
  const columns = ['kind', 'uniqueness', 'nearest_similarity', 'outlier_confidence', ...CLUSTER_COLUMNS];
  for await (const slice of table.readColumns([...columns, ...PLACE_COLUMNS], { absent: NO_PLACE })) {
    const [kind, uniqueness, nearest, outlier] = columns.map((name) => slice.columns[name]!);
    CLUSTER_COLUMNS.forEach((name, level) => clusters[level]!.set(slice.columns[name] as Int32Array, slice.first));
    places.x.set(slice.columns['map_x'] as Float32Array, slice.first);
    places.y.set(slice.columns['map_y'] as Float32Array, slice.first);
    for (let at = 0; at < slice.count; at++) {
      if (!isKnown(kind![at] as number)) continue;
      count += 1;
      const ordinal = slice.first + at;
      for (let level = 0; level < clusters.length; level++)
        freeCluster[level] = Math.max(freeCluster[level]!, clusters[level]![ordinal]! + 1);
      measures.note(ordinal, uniqueness![at] as number, nearest![at] as number, outlier![at] as number);
    }
  }
  const { mostUnique, outlierDistance } = measures;
  const [measure] = mostUnique === undefined ? [] : await table.takeRows([mostUnique], ['embedding']);
  return {
    count,
    dimension: table.dimensions.embedding,
    batches: () => vectorsOf(table, isKnown),
    clusters,
    places,
    freeCluster,
    mostUnique: measure?.embedding ?? null,
    outlierDistance,
  };
}

/** For each hash, the lowest ordinal of the rows of these kinds with this content, or -1. */
export async function findKnownCopies(
  table: MediaTable,
  kinds: readonly EntityKind[],
  contents: readonly string[],
): Promise<Int32Array> {
  const lowest = new Map<string, number>();
  const distinct = [...new Set(contents)];
  const ofKinds = `kind IN (${kinds.map((kind) => literal(kindCode(kind))).join(', ')})`;
  for (let at = 0; at < distinct.length; at += CONTENTS_AT_ONCE) {
    const asked = inList(distinct.slice(at, at + CONTENTS_AT_ONCE));
    const ordinals = await table.filterOrdinals(`sha256 IN ${asked} AND ${ofKinds}`);
    const rows = await table.takeRows(ordinals, ['sha256']);
    rows.forEach(({ sha256 }, i) => {
      if (!lowest.has(sha256)) lowest.set(sha256, ordinals[i]!);
    });
  }
  return Int32Array.from(contents, (content) => lowest.get(content) ?? -1);
}

/** The reference values of the whole table's measures. */
class Measures {
  mostUnique: number | undefined;
  outlierDistance: number | null = null;
  private uniqueness = 0;
  private outlier = 0;

  note(ordinal: number, uniqueness: number, nearest: number, outlier: number): void {
    if (uniqueness > this.uniqueness) {
      this.uniqueness = uniqueness;
      this.mostUnique = ordinal;
    }
    if (outlier > this.outlier) {
      this.outlier = outlier;
      this.outlierDistance = ((1 - nearest) * (1 - outlier)) / outlier;
    }
  }
}

async function* vectorsOf(table: MediaTable, isKnown: (kind: number) => boolean): AsyncGenerator<KnownVectors> {
  const { embedding: dimension } = table.dimensions;
  for await (const { first, count, columns } of table.readColumns(['kind', 'embedding'])) {
    const kinds = columns['kind'] as Int8Array;
    const all = columns['embedding'] as Float32Array;
    const ordinals = new Int32Array(count);
    let known = 0;
    for (let at = 0; at < count; at++) if (isKnown(kinds[at]!)) ordinals[known++] = first + at;
    if (known === 0) continue;
    yield {
      ordinals: ordinals.subarray(0, known),
      vectors: known === count ? all : picked(all, ordinals, first, known),
    };
  }

  function picked(all: Float32Array, ordinals: Int32Array, first: number, known: number): Float32Array {
    const vectors = new Float32Array(known * dimension);
    for (let at = 0; at < known; at++) {
      const start = (ordinals[at]! - first) * dimension;
      vectors.set(all.subarray(start, start + dimension), at * dimension);
    }
    return vectors;
  }
}

function kindTest(kinds: readonly EntityKind[]): (kind: NumberArray[number]) => boolean {
  const codes = new Set<number | bigint>(kinds.map(kindCode));
  return (kind) => codes.has(kind);
}
