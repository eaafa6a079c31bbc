import { informativePairs, informativeRule, type ItemPairs } from './frame-pairs';

const pairsOf = (...pairs: [number, number][]): ItemPairs => ({
  first: Int32Array.from(pairs, ([first]) => first),
  second: Int32Array.from(pairs, ([, second]) => second),
  cosine: Float32Array.from(pairs, (_, i) => 0.9 + i / 1000),
});
const shown = ({ first, second }: ItemPairs): [number, number][] => Array.from(first, (item, i) => [item, second[i]!]);

// Items 0 to 3 are video 0, 4 to 7 video 1, 8 and 9 video 2; 10 and 11 are images.
const videoOf = Int32Array.from([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, -1, -1]);

it('drops similar frames of one video', () => {
  expect(shown(informativePairs(pairsOf([0, 1], [1, 2], [8, 9], [10, 11]), videoOf))).toEqual([[10, 11]]);
});

it('drops pairs of two videos if they cover less than half of the shorter one', () => {
  expect(shown(informativePairs(pairsOf([0, 4]), videoOf))).toEqual([]);
  expect(shown(informativePairs(pairsOf([0, 4], [0, 5], [0, 6], [0, 7]), videoOf))).toEqual([]);
});

it('keeps pairs of videos that are similar as a whole', () => {
  const copies: [number, number][] = [
    [0, 4],
    [5, 1],
    [2, 6],
  ];
  expect(shown(informativePairs(pairsOf(...copies), videoOf))).toEqual(copies);
  expect(shown(informativePairs(pairsOf([3, 9]), videoOf))).toEqual([[3, 9]]);
});

it('keeps images beside frames, each with its cosine', () => {
  const kept = informativePairs(pairsOf([0, 1], [10, 0], [11, 9]), videoOf);
  expect(shown(kept)).toEqual([
    [10, 0],
    [11, 9],
  ]);
  expect([...kept.cosine]).toEqual([Math.fround(0.901), Math.fround(0.902)]);
});

it('returns all pairs without videos', () => {
  const pairs = pairsOf([0, 1]);
  expect(informativePairs(pairs, new Int32Array(2).fill(-1))).toBe(pairs);
});

it('uses the full length of videos of which only some frames are given', () => {
  expect(informativeRule(pairsOf([0, 8]), videoOf, [4, 4, 2])(0)).toBe(true);
  expect(informativeRule(pairsOf([0, 8]), videoOf, [2, 4, 60])(0)).toBe(true);
  expect(informativeRule(pairsOf([0, 8]), videoOf, [40, 4, 60])(0)).toBe(false);
});
