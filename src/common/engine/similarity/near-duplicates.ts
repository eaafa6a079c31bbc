/** The similarity from which two pictures count as near duplicates, whatever the model; also their cosine, for models that name no other. */
export const NEAR_DUPLICATES = 0.95;
/** Less similar pairs are not kept. */
export const LEAST_SIMILARITY = 0.8;

/**
 * The cosine of a similarity of near duplicates, by a model whose near duplicates have a cosine of `cut` or more. A similarity of 1 is a cosine of 1; from
 * NEAR_DUPLICATES down, both fall by the same.
 */
export const cosineOf = (similarity: number, cut: number): number =>
  similarity <= NEAR_DUPLICATES
    ? similarity + (cut - NEAR_DUPLICATES)
    : 1 - (1 - similarity) * ((1 - cut) / (1 - NEAR_DUPLICATES));

/** The reverse of `cosineOf`. */
export const similarityOf = (cosine: number, cut: number): number =>
  cosine <= cut ? cosine + (NEAR_DUPLICATES - cut) : 1 - (1 - cosine) * ((1 - NEAR_DUPLICATES) / (1 - cut));

/** The cosine from which pairs are kept. */
export const leastCosine = (cut = NEAR_DUPLICATES): number => cosineOf(LEAST_SIMILARITY, cut);
