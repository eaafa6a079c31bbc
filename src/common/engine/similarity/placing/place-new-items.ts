import { computeSimilarityStructure, inScratch, type SimilarityOptions } from '../compute-similarity-structure';
import { leastCosine, NEAR_DUPLICATES } from '../near-duplicates';
import { COSINE_ERROR } from '../similarity-structure';
import { ThreadPool, usefulThreads } from '../threads/thread-pool';
import { FreshItems } from './fresh-items';
import { findKnownNeighbours } from './known-neighbours';
import { placeClusters } from './place-clusters';
import { placeMeasures } from './place-measures';
import { placeOnMap } from './place-on-map';
import { pairsAmong, pairsToKnown } from './place-pairs';
import type { Placement, PlacementInput } from './placement';
import { stoppable } from '../threads/stoppable';

const SEARCH_SHARE = 0.9;

/** Runs on threads. The clusters of known items do not change. An abort rejects with the signal's reason. */
export async function placeNewItems(
  input: PlacementInput,
  { signal, onProgress }: SimilarityOptions = {},
): Promise<Placement> {
  checkInput(input);
  return stoppable(signal, (stop) => place(input, stop, signal, onProgress ?? (() => undefined)));
}

async function place(
  { known, added, ladder, nearDuplicates = NEAR_DUPLICATES, threads, scratch }: PlacementInput,
  stop: Int32Array,
  signal: AbortSignal | undefined,
  onProgress: (fraction: number) => void,
): Promise<Placement> {
  const fresh = FreshItems.among(added, known.dimension);
  const rows = Math.max(known.count, added.count);
  // At least one, because this thread serves requests.
  const pool = new ThreadPool(Math.max(1, usefulThreads(rows, threads)), stop);
  const searched = (fraction: number): void => onProgress(fraction * SEARCH_SHARE);
  const least = leastCosine(nearDuplicates);
  const sought = { ...fresh.rows(known.mostUnique), least };
  const neighbours = await findKnownNeighbours(known, sought, pool, searched).finally(() => pool.close());
  fresh.settleTwins(neighbours.nearest);
  const isMapped = known.count === 0;
  const items = { ...fresh.items(), dimension: known.dimension, ladder, nearDuplicates, threads, isMapped };
  const structure = await inScratch(items, scratch, (input) =>
    computeSimilarityStructure(input, {
      ...(signal === undefined ? {} : { signal }),
      onProgress: (fraction) => onProgress(SEARCH_SHARE + (1 - SEARCH_SHARE) * fraction),
    }),
  );
  const found = { known, fresh, neighbours, structure };
  return {
    clusters: placeClusters(found, ladder),
    ...placeMeasures(found),
    layout: placeOnMap(found),
    among: pairsAmong(found),
    toKnown: pairsToKnown(found, least - COSINE_ERROR),
  };
}

function checkInput({ known, added }: PlacementInput): void {
  const { count, vectors, contentGroup, knownCopy } = added;
  if (vectors.length !== count * known.dimension)
    throw new RangeError(
      `${count} vectors of dimension ${known.dimension} need ${count * known.dimension} numbers, not ${vectors.length}`,
    );
  if (contentGroup.length !== count || knownCopy.length !== count)
    throw new RangeError(`${contentGroup.length} content groups and ${knownCopy.length} copies for ${count} vectors`);
}
