import { createHash } from 'node:crypto';
import type { Dimensions } from '../../src/common/engine/media-table/column-codec';
import { BLANK, type MediaRow } from '../../src/common/engine/media-table/media-row';

export const DIMENSION = 8;
export const DIMENSIONS: Dimensions = { embedding: DIMENSION, captionEmbedding: 4 };

/** An id in the form of a UUID that only depends on the name. */
export function idOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function unitVector(seed: number, dimension = DIMENSION): Float32Array {
  const vector = Float32Array.from({ length: dimension }, (_, i) => Math.sin((seed + 1) * (i + 1) * 1.7));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** An ordinary image, which differs by `seed`. */
export function mediaRow(seed: number, changes: Partial<MediaRow> = {}): MediaRow {
  const fileName = `image_${seed}.jpg`;
  return {
    ...BLANK,
    id: idOf(fileName),
    kind: 'IMAGE',
    fileName,
    path: `train/${fileName}`,
    source: `store:media/${fileName}`,
    mimeType: 'image/jpeg',
    sizeBytes: 1000 + seed,
    width: 640,
    height: 480,
    sha256: createHash('sha256').update(fileName).digest('hex'),
    thumbnailKey: `thumbnails/${idOf(fileName)}.webp`,
    batchId: 'batch-1',
    labels: [],
    sharpness: 100,
    meanIntensity: 120,
    blurConfidence: 0.25,
    darkConfidence: 0.25,
    brightConfidence: 0.25,
    outlierConfidence: 0.25,
    uniqueness: 0.5,
    nearestSimilarity: 0.5,
    clusters: [seed, seed, seed, seed, seed],
    embedding: unitVector(seed),
    ...changes,
  };
}

export const mediaRows = (count: number, first = 0): MediaRow[] =>
  Array.from({ length: count }, (_, i) => mediaRow(first + i));

export function* inBatches<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
