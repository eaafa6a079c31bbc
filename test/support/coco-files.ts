import type { BoxNumbers } from '../../src/common/engine/annotations/annotation';
import { runsOf } from '../../src/common/engine/annotations/mask-runs';
import { asCoco, type CocoSet, type SetTask } from './coco-sets';
import { Random } from './random';

interface Entry {
  readonly image_id: number;
  readonly category_id: number;
  readonly bbox?: BoxNumbers;
  readonly segmentation?: number[][] | { readonly size: readonly [number, number]; readonly counts: string };
  readonly [field: string]: unknown;
}

interface Image {
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly file_name: string;
}

/** An annotation document of COCO, and a list of results. */
export interface CocoFiles {
  readonly task: SetTask;
  readonly truth: {
    readonly images: readonly Image[];
    readonly categories: readonly { readonly id: number; readonly name: string }[];
    readonly annotations: readonly Entry[];
  };
  readonly results: readonly Entry[];
}

/** Pictures in the order of their ids and of their names. */
const nameOf = (folder: string, id: number): string => `${folder}/${String(id).padStart(6, '0')}.jpg`;
const categoryIdOf = (id: number): number => 90 - 7 * id;

/**
 * A set as people have it in files: annotations in any order, ids with gaps, a category of nothing, run lengths in both forms, boxes that have no extent or reach
 * beyond their picture, and some twice.
 */
export function asFiles(set: CocoSet, folder: string, seed: number): CocoFiles {
  const random = new Random(seed, 7);
  const { truth, results } = asCoco(set) as CocoFiles;
  const renamed = (entry: Entry): Entry => ({
    ...entry,
    category_id: categoryIdOf(entry.category_id),
    ...(set.task === 'detection' && entry.bbox !== undefined && { bbox: oddBox(random, entry.bbox) }),
  });
  const annotations = shuffled(random, withDoubles(random, truth.annotations.map(renamed)));
  return {
    task: set.task,
    truth: {
      images: shuffled(
        random,
        truth.images.map((image) => ({ ...image, file_name: nameOf(folder, image.id) })),
      ),
      categories: shuffled(random, [
        { id: 90, name: 'nothing' },
        ...truth.categories.map(({ id, name }) => ({ id: categoryIdOf(id), name })),
      ]),
      annotations: annotations.map((entry, at) => ({ ...withOddRuns(random, entry), id: 1_000 + 3 * at })),
    },
    results: shuffled(random, withDoubles(random, results.map(renamed))),
  };
}

function oddBox(random: Random, [x, y, width, height]: BoxNumbers): BoxNumbers {
  const kind = random.next();
  if (kind < 0.05) return [x, y, 0, height];
  return kind < 0.2 ? [x - 30, y - 30, width, height] : [x, y, width, height];
}

const withDoubles = (random: Random, entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap((entry) => (random.next() < 0.05 ? [entry, entry] : [entry]));

function withOddRuns(random: Random, entry: Entry): Entry {
  const { segmentation } = entry;
  if (segmentation === undefined || !('counts' in segmentation) || random.next() < 0.5) return entry;
  const [height, width] = segmentation.size;
  const counts = [...runsOf({ width, height, counts: segmentation.counts })!];
  return { ...entry, segmentation: { size: segmentation.size, counts } as never };
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.map(() => left.splice(random.integer(left.length), 1)[0]!);
}
