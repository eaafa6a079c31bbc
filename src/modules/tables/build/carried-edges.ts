import type { NearPairs } from '../../../common/engine/media-table/edges-file';
import { inSlices } from '../../../common/platform/concurrency/in-slices';

/** Converts the pairs of a table to new ordinals; -1 marks a removed row. */
export async function carriedEdges({ first, second, cosine }: NearPairs, ordinalOf: Int32Array): Promise<NearPairs> {
  const carried = {
    first: new Int32Array(first.length),
    second: new Int32Array(first.length),
    cosine: new Float32Array(first.length),
  };
  let kept = 0;
  await inSlices(first.length, (start, end) => {
    for (let at = start; at < end; at++) {
      const [one, other] = [ordinalOf[first[at]!]!, ordinalOf[second[at]!]!];
      if (one < 0 || other < 0) continue;
      carried.first[kept] = one;
      carried.second[kept] = other;
      carried.cosine[kept++] = cosine[at]!;
    }
  });
  return {
    first: carried.first.slice(0, kept),
    second: carried.second.slice(0, kept),
    cosine: carried.cosine.slice(0, kept),
  };
}
