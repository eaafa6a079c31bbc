/** Names in a report. */
export const MAX_NAMES = 20;
/** Characters of a name in a report. */
const MAX_CHARACTERS = 200;

/** The annotations that are about nothing in a dataset. */
export interface Unmatched {
  /** The first of them, or all. */
  readonly names: readonly string[];
  readonly count: number;
  /** Of annotations with a position in the request. */
  readonly rows?: readonly number[];
  /** Of all annotations. */
  readonly total: number;
}

export function unmatchedWarnings({ names, count, total }: Unmatched): string[] {
  if (count === 0) return [];
  const named = names
    .slice(0, MAX_NAMES)
    .map((name) => (name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS)}…` : name));
  const more = count === named.length ? '' : ` and ${count - named.length} more`;
  return [`${count} of ${total} annotations match no medium of the dataset: ${named.join(', ')}${more}.`];
}
