/** A label that looks wrong, with the one that similar media have. */
export interface LabelSuggestion {
  readonly row: number;
  readonly mediaId: string;
  readonly label: string;
  readonly suggested: string;
  /** That the label is wrong. */
  readonly confidence: number;
}

/** All suggestions of one label instead of another. */
export interface LabelPair {
  readonly label: string;
  readonly suggested: string;
  readonly count: number;
  readonly highest: number;
}

/** A label of a medium that a person looked at, with the suggestion that the person saw. */
export type SeenSuggestion = Pick<LabelSuggestion, 'mediaId' | 'label' | 'suggested'>;

export const isOfPair = (
  { label, suggested }: Pick<LabelSuggestion, 'label' | 'suggested'>,
  pair: { readonly label?: string | undefined; readonly suggested?: string | undefined },
): boolean =>
  (pair.label === undefined || pair.label === label) && (pair.suggested === undefined || pair.suggested === suggested);

/** The most frequent first. Of suggestions in the order of their confidence. */
export function pairsOf(suggestions: readonly LabelSuggestion[]): LabelPair[] {
  const byPair = new Map<string, { readonly first: LabelSuggestion; count: number }>();
  for (const suggestion of suggestions) {
    const key = JSON.stringify([suggestion.label, suggestion.suggested]);
    const known = byPair.get(key);
    if (known === undefined) byPair.set(key, { first: suggestion, count: 1 });
    else known.count += 1;
  }
  return [...byPair.values()]
    .map(({ first: { label, suggested, confidence }, count }) => ({ label, suggested, count, highest: confidence }))
    .sort((a, b) => b.count - a.count || b.highest - a.highest || (a.label < b.label ? -1 : 1));
}
