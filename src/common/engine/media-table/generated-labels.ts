import type { MediaRow } from './media-row';

type Labelled = Pick<MediaRow, 'labels' | 'generatedLabels'>;

/** The labels that people gave. */
export function givenLabels({ labels, generatedLabels }: Labelled): readonly string[] {
  if (generatedLabels === null) return labels;
  const onlyFound = new Set(generatedLabels.filter(({ given }) => !given).map(({ label }) => label));
  return labels.filter((label) => !onlyFound.has(label));
}

/** Replaces generated labels with the new model's. `found` is null if it refused the picture. */
export function withGeneratedLabels<Row extends Labelled>(
  row: Row,
  found: readonly { readonly label: string; readonly confidence: number }[] | null,
): Row {
  const given = givenLabels(row);
  if (found === null) return { ...row, labels: given, generatedLabels: null };
  const known = new Set(given);
  return {
    ...row,
    labels: [...new Set([...given, ...found.map(({ label }) => label)])],
    generatedLabels: found.map(({ label, confidence }) => ({ label, confidence, given: known.has(label) })),
  };
}
