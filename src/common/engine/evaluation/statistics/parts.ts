const MOST_SAMPLED = 2 ** 16;

/** Some of many numbers, evenly spread over the list. */
export function sampled<A extends Int32Array | Float64Array>(numbers: A): A {
  if (numbers.length <= MOST_SAMPLED) return numbers;
  return numbers.filter(
    (_, at) =>
      Math.floor((at * MOST_SAMPLED) / numbers.length) !== Math.floor(((at - 1) * MOST_SAMPLED) / numbers.length),
  ) as A;
}

/** Bounds, both included, that divide numbers into parts of about the same size; fewer if many are the same, none if all are. */
export function boundsOfParts(numbers: Float64Array, parts: number): [least: number, most: number][] {
  const sorted = numbers.toSorted();
  const bounds = Array.from({ length: parts + 1 }, (_, at) => sorted[Math.round((at * (sorted.length - 1)) / parts)]!);
  const distinct = [...new Set(bounds)];
  if (sorted.length === 0 || distinct.length < 3) return [];
  return distinct.slice(1).map((most, at) => [distinct[at]!, most]);
}
