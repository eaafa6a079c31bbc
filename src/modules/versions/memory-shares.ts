import type { Configuration } from '../../common/platform/config/configuration';

/** Shares of the memory for searches (EXPLORE_CACHE_BYTES). */
export const MEMORY_SHARES = {
  cards: 5 / 16,
  indexes: 1 / 4,
  duplicates: 1 / 8,
  answers: 1 / 32,
  measures: 1 / 16,
  tags: 1 / 32,
  metadata: 1 / 16,
  folders: 1 / 32,
  keepers: 1 / 32,
  map: 1 / 16,
} as const;

export type ExploreMemory = Pick<Configuration, 'exploreCacheBytes'>;

export const bytesFor = (what: keyof typeof MEMORY_SHARES, { exploreCacheBytes }: ExploreMemory): number =>
  exploreCacheBytes * MEMORY_SHARES[what];
