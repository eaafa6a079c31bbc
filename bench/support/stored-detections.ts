import { randomUUID } from 'node:crypto';
import { openSync, readFileSync, readSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Annotation } from '../../src/common/engine/annotations/annotation';
import { ID_WORDS, putId } from '../../src/common/engine/annotations/segment';
import { SegmentBuilder } from '../../src/common/engine/annotations/segment-builder';
import { decodeSegment, encodeSegment } from '../../src/common/engine/annotations/segment-file';
import type { EvaluationResult } from '../../src/common/engine/evaluation/evaluation-result';
import { EvaluationRun } from '../../src/common/engine/evaluation/evaluation-run';
import { planOf } from '../../src/common/engine/evaluation/plan';
import { NO_SHAPES, type AnnotationSource } from '../../src/modules/versions/annotations/domain/annotation-state';
import { MediaIds } from '../../src/modules/versions/annotations/domain/media-ids';
import { PlacedSource } from '../../src/modules/versions/annotations/placed-source';
import { FilePart } from '../../src/modules/versions/annotations/source-part';
import { pictureId } from '../../test/support/coco-sets';
import { detections, HEIGHT, WIDTH, type Sizes } from '../../test/support/detections';

const PICTURES_OF_FILE = 16_384;
const PICTURES_OF_BATCH = 256;
const SOURCES = ['truth', 'predictions'] as const;

/** Writes truth and predictions as an import does. */
export async function storeDetections(folder: string, sizes: Sizes): Promise<void> {
  for (let from = 0; from < sizes.pictures; from += PICTURES_OF_FILE) {
    const set = detections(sizes, from, Math.min(from + PICTURES_OF_FILE, sizes.pictures));
    for (const source of SOURCES) {
      const builder = new SegmentBuilder();
      for (const [at, { id }] of set.pictures.entries()) await builder.add(id, set[source][at] as Annotation[]);
      const { segment, shapes } = await builder.build();
      await writeFile(join(folder, `${source}-${from}.shapes`), shapes);
      await writeFile(join(folder, `${source}-${from}.columns`), await encodeSegment(segment));
    }
  }
}

/** Compares what is stored in a folder, as the job of an evaluation does. Its files stay open, for a process that ends then. */
export async function evaluateStored(folder: string, pictures: number): Promise<EvaluationResult> {
  const words = new Uint32Array(pictures * ID_WORDS);
  for (let row = 0; row < pictures; row++) putId(words, row, pictureId(row + 1));
  const ids = await MediaIds.of(words);
  const [truth, predictions] = [await placed(folder, 'truth', ids), await placed(folder, 'predictions', ids)];
  await using run = new EvaluationRun(planOf('detection', 'coco'));
  for (let first = 0; first < pictures; first += PICTURES_OF_BATCH) {
    const count = Math.min(PICTURES_OF_BATCH, pictures - first);
    const rows = Array.from({ length: count }, (_, at) => first + at);
    await run.add({
      pictures: rows.map((row) => ({ id: ids.idOf(row), rank: row, width: WIDTH, height: HEIGHT })),
      truth: await truth.jsonOf(rows),
      predictions: await predictions.jsonOf(rows),
    });
  }
  return await run.finish();
}

async function placed(folder: string, name: string, ids: MediaIds): Promise<PlacedSource> {
  const parts: FilePart[] = [];
  for (let from = 0; from < ids.rows; from += PICTURES_OF_FILE) {
    const segment = await decodeSegment(readFileSync(join(folder, `${name}-${from}.columns`)));
    const shapes = openSync(join(folder, `${name}-${from}.shapes`), 'r');
    const read = (start: number, end: number): Promise<Buffer> => {
      const bytes = Buffer.allocUnsafe(end + 1 - start);
      readSync(shapes, bytes, 0, bytes.length, start);
      return Promise.resolve(bytes);
    };
    parts.push(new FilePart(randomUUID(), segment, read));
  }
  const source: AnnotationSource = {
    ...{ name, kind: 'predictions', modelId: null, createdAt: '', counts: NO_SHAPES, segments: [] },
  };
  return PlacedSource.over(source, parts, { version: 'stored', ids });
}
