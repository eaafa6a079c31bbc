import type { FoundObject } from '../../../src/common/engine/models/picture-model';

type Box = readonly [number, number, number, number];

export interface TrueObject {
  readonly label: string;
  /** Left, top, right, bottom, as fractions. */
  readonly box: Box;
}

const SLOTS = {
  colour: 'red orange yellow green teal blue purple pink white brown grey black turquoise',
  count: 'a an one two three four five six seven eight nine ten many',
  position: 'above below left right top bottom on in under by',
  object:
    'circle square triangle star ring cross heart house tree lighthouse tent umbrella mushroom bird cactus cacti snowman snowmen boat car fish balloon flower apple orange lemon plum bowl sunset mountains forest skyline stripes tartan planks bricks clouds gradient grass beach desert road sea sky water background snow night rain fog',
} as const;
export type Slot = keyof typeof SLOTS;
export const SLOT_NAMES = Object.keys(SLOTS) as Slot[];

/** The words of one kind in a caption, in order and without plural endings. */
export function slotOf(slot: Slot, caption: string): string {
  const known = new Set<string>(SLOTS[slot].split(' '));
  const words = caption.toLowerCase().split(/[^a-z]+/);
  const single = (word: string): string =>
    [word, word.replace(/es$/, ''), word.replace(/s$/, '')].find((each) => known.has(each)) ?? '';
  return words
    .map(single)
    .filter((word) => word !== '')
    .join(' ');
}

export interface CaptionScore {
  readonly exact: number;
  readonly slots: Readonly<Record<Slot, number>>;
}

const share = (parts: number, whole: number): number => (whole === 0 ? 1 : parts / whole);

/** The share of captions that are identical, and of captions whose words of each kind are. */
export function scoreCaptions(pairs: readonly (readonly [found: string, truth: string])[]): CaptionScore {
  const slots = SLOT_NAMES.map((slot) => {
    const asked = pairs.filter(([, truth]) => slotOf(slot, truth) !== '');
    const right = asked.filter(([found, truth]) => slotOf(slot, found) === slotOf(slot, truth));
    return [slot, share(right.length, asked.length)] as const;
  });
  const exact = share(pairs.filter(([found, truth]) => found === truth).length, pairs.length);
  return { exact, slots: Object.fromEntries(slots) as Record<Slot, number> };
}

/** F1 over all labels together, and the mean F1 of the labels. */
export function scoreLabels(pairs: readonly (readonly [found: readonly string[], truth: readonly string[]])[]): {
  micro: number;
  macro: number;
} {
  const labels = [...new Set(pairs.flatMap(([, truth]) => truth))];
  const counts = labels.map((label) => {
    const right = pairs.filter(([found, truth]) => found.includes(label) && truth.includes(label)).length;
    const found = pairs.filter(([each]) => each.includes(label)).length;
    return { right, all: found + pairs.filter(([, truth]) => truth.includes(label)).length };
  });
  const foreign = pairs.flatMap(([found]) => found).filter((label) => !labels.includes(label)).length;
  const sum = (pick: (each: (typeof counts)[number]) => number): number =>
    counts.reduce((total, each) => total + pick(each), 0);
  return {
    micro: share(2 * sum(({ right }) => right), sum(({ all }) => all) + foreign),
    macro: share(
      sum(({ right, all }) => share(2 * right, all)),
      labels.length,
    ),
  };
}

function overlap(box: Box, other: Box): number {
  const across = Math.min(box[2], other[2]) - Math.max(box[0], other[0]);
  const down = Math.min(box[3], other[3]) - Math.max(box[1], other[1]);
  if (across <= 0 || down <= 0) return 0;
  const area = (each: Box): number => (each[2] - each[0]) * (each[3] - each[1]);
  return (across * down) / (area(box) + area(other) - across * down);
}

/** The mean of average precision over all kinds, at an intersection over union of 0.5. */
export function scoreObjects(
  pictures: readonly { found: readonly FoundObject[]; truth: readonly TrueObject[] }[],
): number {
  const kinds = [...new Set(pictures.flatMap(({ truth }) => truth.map(({ label }) => label)))];
  const areas = kinds.map((kind) => averagePrecision(kind, pictures));
  return share(
    areas.reduce((total, each) => total + each, 0),
    kinds.length,
  );
}

function averagePrecision(
  kind: string,
  pictures: readonly { found: readonly FoundObject[]; truth: readonly TrueObject[] }[],
): number {
  const wanted = pictures.map(({ truth }) => truth.filter(({ label }) => label === kind));
  const total = wanted.reduce((sum, each) => sum + each.length, 0);
  const found = pictures
    .flatMap((picture, at) => picture.found.filter(({ label }) => label === kind).map((object) => ({ object, at })))
    .sort((a, b) => b.object.confidence - a.object.confidence);
  const taken = new Set<TrueObject>();
  const curve: { precision: number; recall: number }[] = [];
  for (const [rank, { object, at }] of found.entries()) {
    const { x, y, width, height } = object.box;
    const own: Box = [x, y, x + width, y + height];
    const best = wanted[at]!.filter((each) => !taken.has(each)).sort(
      (a, b) => overlap(own, b.box) - overlap(own, a.box),
    )[0];
    if (best !== undefined && overlap(own, best.box) >= 0.5) taken.add(best);
    curve.push({ precision: taken.size / (rank + 1), recall: taken.size / total });
  }
  let [area, before] = [0, 0];
  for (const [at, { recall }] of curve.entries()) {
    if (recall === before) continue;
    area += (recall - before) * Math.max(...curve.slice(at).map(({ precision }) => precision));
    before = recall;
  }
  return area;
}

/** For unit vectors. */
export const cosineOf = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

/** The share of queries with a result of the same name among the nearest. */
export function scoreRetrieval(
  queries: readonly { name: string; vector: Float32Array }[],
  items: readonly { name: string; vector: Float32Array }[],
): { first: number; ten: number } {
  const names = new Set(items.map(({ name }) => name));
  const asked = queries.filter(({ name }) => names.has(name));
  const ranks = asked.map(({ name, vector }) => {
    const near = items.map((item) => ({
      item,
      cosine: cosineOf(vector, item.vector),
    }));
    return near.sort((a, b) => b.cosine - a.cosine).findIndex(({ item }) => item.name === name);
  });
  const within = (rank: number): number => share(ranks.filter((each) => each < rank).length, ranks.length);
  return { first: within(1), ten: within(10) };
}
