import type { components } from 'dataset-media-service-sdk';

type MediaDetail = components['schemas']['MediaDetail'];

export interface KnownLabels {
  readonly media:
    | {
        readonly issues: MediaDetail['issues'];
        readonly neighbours: readonly Pick<MediaDetail['neighbours'][number], 'labels'>[];
      }
    | undefined;
  /** Of other sources. */
  readonly others: readonly string[];
  readonly own: readonly string[];
  /** Of the label set. */
  readonly wanted: readonly string[];
  /** Of the dataset, most frequent first. */
  readonly frequent: readonly string[];
}

/** What is suggested for a label that looks wrong, then what models and other sources say, what pictures that look alike have, what is on the picture, and the labels of the dataset. */
export function likelyLabels({ media, others, own, wanted, frequent }: KnownLabels): readonly string[] {
  const suggested = media?.issues.flatMap(({ issue, issues_description: label = '' }) =>
    issue === 'mislabels' ? [label] : [],
  );
  const all = [...(suggested ?? []), ...others, ...labelsOfNeighbours(media), ...own, ...wanted, ...frequent];
  return [...new Set(all)].filter((label) => label !== '');
}

function labelsOfNeighbours(media: KnownLabels['media']): string[] {
  const counts = new Map<string, number>();
  for (const { labels } of media?.neighbours ?? [])
    for (const label of Object.keys(labels ?? {})) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([label]) => label);
}
