import type { Dataset } from './dataset';

export type DatasetOrder = 'date' | 'name' | 'status';

const newestFirst = (a: Dataset, b: Dataset): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || a.id.localeCompare(b.id);

const COMPARE: Readonly<Record<DatasetOrder, (a: Dataset, b: Dataset) => number>> = {
  date: newestFirst,
  name: (a, b) => a.displayName.localeCompare(b.displayName) || newestFirst(a, b),
  status: (a, b) => a.status.localeCompare(b.status) || newestFirst(a, b),
};

export const compareBy = (order: DatasetOrder): ((a: Dataset, b: Dataset) => number) => COMPARE[order];

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Drafts that were not touched for a day are hidden in lists. */
export const isHidden = (dataset: Dataset, now: Date): boolean =>
  dataset.status === 'DRAFT' && now.getTime() - dataset.createdAt.getTime() > ABANDONED_AFTER_MS;
