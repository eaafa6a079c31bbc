import { randomUUID } from 'node:crypto';
import { BLANK, type MediaRow } from '../../src/common/engine/media-table/media-row';
import { MediaTableStore } from '../../src/common/engine/media-table/media-table-store';
import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';
import { clusterRanks } from '../../src/modules/tables/build/domain/final-order';

const BATCH_ROWS = 8192;

export interface IndexedVectors {
  readonly count: number;
  readonly dimension: number;
  readonly vectorOf: (item: number) => Float32Array;
}

/** Writes a table below `folder` and returns its size. Rows are ordered by cluster, as in the table of a dataset. */
export async function writeIndexed(
  folder: string,
  vectors: IndexedVectors,
  structure: SimilarityStructure,
): Promise<number> {
  const store = new MediaTableStore({ uri: folder, storageOptions: {} });
  const { rows, bytes } = await store.create(
    randomUUID(),
    { embedding: vectors.dimension, captionEmbedding: 256 },
    rowBatches(vectors, structure),
  );
  if (rows !== vectors.count) throw new Error(`The table has ${rows} rows, not ${vectors.count}`);
  return bytes;
}

function* rowBatches({ count, vectorOf }: IndexedVectors, structure: SimilarityStructure): Generator<MediaRow[]> {
  const order = new Int32Array(count);
  clusterRanks(structure.clusters).forEach((rank, item) => (order[rank] = item));
  for (let start = 0; start < order.length; start += BATCH_ROWS) {
    yield Array.from(order.subarray(start, start + BATCH_ROWS), (item) => mediaRow(vectorOf(item), structure, item));
  }
}

function mediaRow(
  embedding: Float32Array,
  { clusters, nearest, uniqueness, outlier, layout }: SimilarityStructure,
  item: number,
): MediaRow {
  const name = `${item.toString(16).padStart(8, '0')}.jpg`;
  return {
    ...BLANK,
    id: `00000000-0000-4000-8000-${item.toString(16).padStart(12, '0')}`,
    kind: 'IMAGE',
    fileName: name,
    path: `images/${name}`,
    source: `file:///images/${name}`,
    mimeType: 'image/jpeg',
    sizeBytes: 300_000 + item,
    width: 1600,
    height: 1067,
    sha256: item.toString(16).padStart(64, '0'),
    perceptualHash: item.toString(16).padStart(16, '0'),
    thumbnailKey: `thumbnails/${name}`,
    batchId: '00000000-0000-4000-8000-000000000000',
    labels: [],
    sharpness: 120,
    meanIntensity: 110,
    blurConfidence: 0.1,
    darkConfidence: 0.1,
    brightConfidence: 0.1,
    outlierConfidence: outlier[item]!,
    uniqueness: uniqueness[item]!,
    nearestSimilarity: nearest[item]!,
    clusters: [clusters[0][item]!, clusters[1][item]!, clusters[2][item]!, clusters[3][item]!, clusters[4][item]!],
    mapPlace: { x: layout.x[item]!, y: layout.y[item]! },
    embedding,
  };
}
