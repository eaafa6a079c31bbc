import { type MediaRow, withGeneratedLabels } from './media-row';
import type { TableVersion } from './table-version';

/** Labels that people gave after a table was written. */
export interface LaterLabels {
  /** All labels by people of the row with this id; undefined if they are as the table has them. */
  of(id: string): readonly string[] | undefined;
}

/** A version as a dataset or a snapshot points to it. */
export interface PublishedVersion extends TableVersion {
  /** What was said about its media beside the table. */
  readonly annotationState?: string | null;
}

const NEEDED = ['id', 'labels', 'generatedLabels'] as const;
type Needed = Pick<MediaRow, (typeof NEEDED)[number]>;

/** The fields to read so that the labels of rows can be brought up to date. */
export const fieldsForLabels = <K extends keyof MediaRow>(fields: readonly K[]): readonly (K | keyof Needed)[] => [
  ...new Set([...fields, ...NEEDED]),
];

/** The asked fields of a row, with its labels of today. */
export function withLaterLabels<K extends keyof MediaRow>(
  row: Pick<MediaRow, K> & Needed,
  fields: readonly K[],
  later: LaterLabels,
): Pick<MediaRow, K> {
  const labels = later.of(row.id);
  const now =
    labels === undefined ? row : withGeneratedLabels({ ...row, labels, generatedLabels: null }, row.generatedLabels);
  return Object.fromEntries(fields.map((field) => [field, now[field]])) as Pick<MediaRow, K>;
}
