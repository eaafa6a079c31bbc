import type { ImageModel } from '../../src/common/engine/models/model-runtime';
import { renderPicture, SAMPLE_FAMILIES, SeededRandom } from '#sample';
import { Random } from '../../test/support/random';
import { described } from '../../src/model-tools/calibration-pictures';
import { sharedVectors, swapped, unevenly, type LabelledSet } from './labelled-sets';

const AT_ONCE = 4;

interface Drawing {
  readonly family: string;
  readonly labels: readonly string[];
  readonly vector: Float32Array;
}

/** Drawings of the sample's families with their vectors, labelled both with the family and with what they show. The families have different sizes. */
export async function labelledDrawings(model: ImageModel, perFamily: number, seed: number): Promise<LabelledSet[]> {
  const drawings = await drawn(model, perFamily, seed);
  const order = unevenly(SAMPLE_FAMILIES.length, 1);
  const random = new Random(seed);
  const wanted = new Map<string, number>();
  for (let i = 0; i < drawings.length / 2; i++) {
    const { name } = SAMPLE_FAMILIES[order(random)]!;
    wanted.set(name, Math.min(perFamily, (wanted.get(name) ?? 0) + 1));
  }
  const uneven = drawings.filter(({ family }, at) => at % perFamily < (wanted.get(family) ?? 0));
  const one = ({ family }: Drawing): string[] => [family];
  return [
    setOf('drawings', drawings, one, seed),
    setOf('drawings, imbalanced', uneven, one, seed),
    setOf('drawings with several labels', drawings, ({ labels }) => [...labels], seed),
  ];
}

function setOf(
  name: string,
  drawings: readonly Drawing[],
  labelsOf: (drawing: Drawing) => string[],
  seed: number,
): LabelledSet {
  const labelled = drawings.filter((drawing) => labelsOf(drawing).length > 0);
  const dimension = labelled[0]!.vector.length;
  const vectors = sharedVectors(labelled.length, dimension);
  labelled.forEach(({ vector }, item) => vectors.set(vector, item * dimension));
  const exchanged = swapped(labelled.map(labelsOf), new Random(seed, 1));
  return { name, count: labelled.length, dimension, vectors, ...exchanged };
}

async function drawn(model: ImageModel, perFamily: number, seed: number): Promise<Drawing[]> {
  const embedding = await model.open();
  const drawings: Drawing[] = [];
  let next = 0;
  const some = async (): Promise<void> => {
    for (let at = next++; at < SAMPLE_FAMILIES.length * perFamily; at = next++) {
      const family = SAMPLE_FAMILIES[Math.floor(at / perFamily)]!;
      const name = `label-judges ${seed} ${family.name} ${at % perFamily}`;
      const scene = family.draw(new SeededRandom(name));
      const vector = await described(await renderPicture(scene, 'none', '.jpg', name), embedding);
      drawings[at] = { family: family.name, labels: scene.labels, vector };
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
  await embedding.close();
  return drawings;
}
