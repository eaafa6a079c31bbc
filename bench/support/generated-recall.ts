import { exactSearch, MetricKind, type BatchMatches } from 'usearch';
import type { SimilarityStructure } from '../../src/common/engine/similarity/similarity-structure';
import type { GeneratedGroups } from '../../test/support/generated-groups';
import type { Recall } from './recall';

const WANTED = 10;
/** More than the required number, because copies are skipped. */
const ASKED = 40;
const ROUNDING = 1e-5;
const BATCH = 65_536;

interface Match {
  readonly other: number;
  readonly cosine: number;
}

/** Compares with every vector, for an even sample of the items. Also returns the items whose nearest was not found. */
export function recallAmong(
  known: GeneratedGroups,
  { edges, nearest }: SimilarityStructure,
  floor: number,
  sample: number,
): Recall & { readonly missed: readonly number[] } {
  const { count, contentGroup } = known;
  const items = Array.from({ length: sample }, (_, at) => contentGroup[Math.floor(((at + 0.5) * count) / sample)]!);
  const neighbours = new Map(items.map((item) => [item, new Set<number>()]));
  edges.first.forEach((first, edge) => {
    neighbours.get(first)?.add(edges.second[edge]!);
    neighbours.get(edges.second[edge]!)?.add(first);
  });
  const found = { named: 0, asked: 0 };
  const missed: number[] = [];
  nearestOf(known, items).forEach((matches, at) => {
    const item = items[at]!;
    const isCopied = matches.some(({ other }) => other !== item && contentGroup[other] === item);
    const others = matches.filter(({ other }) => contentGroup[other] === other && other !== item);
    // All matches of an item with many copies may be copies.
    if (nearest[item]! < (isCopied ? 1 : (others[0]?.cosine ?? 1)) - ROUNDING) missed.push(item);
    for (const { other, cosine } of others.slice(0, WANTED)) {
      if (cosine < floor + ROUNDING) continue;
      found.asked += 1;
      if (neighbours.get(item)!.has(other)) found.named += 1;
    }
  });
  const { asked, named } = found;
  return { atTen: named / asked, asked, nearest: 1 - missed.length / items.length, missed };
}

/** The nearest of all items for some of them, best first, including the item itself. */
function nearestOf(known: GeneratedGroups, items: readonly number[]): Match[][] {
  const { count, dimension } = known;
  const queries = new Float32Array(items.length * dimension);
  items.forEach((item, at) => {
    known.fill(item, queries.subarray(at * dimension, (at + 1) * dimension));
  });
  let best: Match[][] = items.map(() => []);
  const batch = new Float32Array(BATCH * dimension);
  for (let from = 0; from < count; from += BATCH) {
    const rows = Math.min(BATCH, count - from);
    for (let row = 0; row < rows; row++) known.fill(from + row, batch.subarray(row * dimension, (row + 1) * dimension));
    const asked = Math.min(ASKED, rows);
    const matches = exactSearch(
      batch.subarray(0, rows * dimension),
      queries,
      dimension,
      asked,
      MetricKind.IP,
      2,
    ) as BatchMatches;
    best = best.map((before, at) => {
      const { keys, distances } = matches.get(at);
      const now = Array.from(keys, (key, i) => ({ other: from + Number(key), cosine: 1 - distances[i]! }));
      return [...before, ...now].sort((a, b) => b.cosine - a.cosine).slice(0, ASKED);
    });
  }
  return best;
}
