import type { BigIntStats } from 'node:fs';

/** Changes whenever a file is replaced or written to. */
export const fileEtag = (stats: Pick<BigIntStats, 'mtimeNs' | 'size'>): string =>
  `${stats.mtimeNs.toString(16)}-${stats.size.toString(16)}`;
