import { totalmem } from 'node:os';
import { GIB } from './variable-types';

/** The memory of the container, if it has a limit, otherwise of the machine. */
export const memoryOfMachine = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity);

/** The sizes derived from MEMORY_BYTES: a share of it, but at least a number of bytes, which is itself limited to another share. */
export const MEMORY_SIZES = {
  EXPLORE_CACHE_BYTES: { share: 1 / 24, least: GIB, most: 1 / 6 },
  ANNOTATION_CACHE_BYTES: { share: 1 / 24, least: GIB / 2, most: 1 / 12 },
  VECTOR_CACHE_BYTES: { share: 1 / 12, least: 2 * GIB, most: 1 / 3 },
  INDEX_CACHE_BYTES: { share: 1 / 12, least: GIB / 2, most: 1 / 8 },
  INDEXING_MEMORY_BYTES: { share: 1 / 2, least: 0, most: 1 / 2 },
} as const;

/** The shares of EXPLORE_CACHE_BYTES. */
export const EXPLORE_SHARES = {
  cards: 9 / 32,
  indexes: 1 / 4,
  duplicates: 1 / 8,
  answers: 1 / 32,
  measures: 1 / 16,
  tags: 1 / 32,
  metadata: 1 / 32,
  outcomes: 1 / 16,
  folders: 1 / 32,
  keepers: 1 / 32,
  map: 1 / 16,
} as const;

type SizeName = keyof typeof MEMORY_SIZES;

export function memorySize(name: SizeName, memoryBytes: number): number {
  const { share, least, most } = MEMORY_SIZES[name];
  return Math.round(Math.min(Math.max(memoryBytes * share, least), memoryBytes * most));
}

const part = (share: number): string => `1/${Math.round(1 / share)}`;

/** The rule of a size, for docs/configuration.md. */
export function memorySizeRule(name: SizeName): string {
  const { share, least, most } = MEMORY_SIZES[name];
  const bound = least === 0 ? '' : `, at least ${least / GIB} GiB or ${part(most)} of it, whichever is less`;
  return `${part(share)} of \`MEMORY_BYTES\`${bound}`;
}

export interface ExploreMemory {
  readonly exploreCacheBytes: number;
}

export const bytesFor = (what: keyof typeof EXPLORE_SHARES, { exploreCacheBytes }: ExploreMemory): number =>
  exploreCacheBytes * EXPLORE_SHARES[what];
