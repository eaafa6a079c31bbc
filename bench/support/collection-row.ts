import { createHash } from 'node:crypto';
import { BLANK, type MediaRow } from '../../src/common/engine/media-table/media-row';
import type { Random } from '../../test/support/random';

const hashOf = (row: number): string => createHash('sha256').update(String(row)).digest('hex');

export function mediaId(row: number): string {
  const hash = hashOf(row);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

/** A row of a generated image, as indexing would write it. */
export function collectionRow(
  row: number,
  clusters: readonly Int32Array[],
  random: Random,
  own: Pick<MediaRow, 'caption' | 'embedding' | 'captionEmbedding'>,
): MediaRow {
  const hash = hashOf(row);
  const id = mediaId(row);
  const path = `train/folder_${row % 1000}/image_${row}.jpg`;
  return {
    ...BLANK,
    id,
    kind: 'IMAGE',
    fileName: `image_${row}.jpg`,
    path,
    source: `file:///collection/${path}`,
    sourceVersion: hash.slice(0, 16),
    mimeType: 'image/jpeg',
    sizeBytes: 100_000 + (row % 400_000),
    width: 1600,
    height: 1067,
    sha256: hash,
    perceptualHash: hash.slice(0, 16),
    thumbnailKey: `thumbnails/${id.slice(0, 2)}/${id}.webp`,
    batchId: mediaId(0),
    labels: [`animal_${row % 40}`, `scene_${clusters[3]![row]! % 200}`, `colour_${random.integer(12)}`],
    sharpness: random.next() * 500,
    meanIntensity: random.next() * 255,
    blurConfidence: random.next(),
    darkConfidence: random.next(),
    brightConfidence: random.next(),
    outlierConfidence: random.next(),
    mislabelConfidence: random.next(),
    classOutlierConfidence: random.next(),
    uniqueness: random.next(),
    nearestSimilarity: random.next(),
    clusters: [clusters[0]![row]!, clusters[1]![row]!, clusters[2]![row]!, clusters[3]![row]!, clusters[4]![row]!],
    mapPlace: { x: random.next(), y: random.next() },
    ...own,
  };
}
