import type { BigIntStats } from 'node:fs';

/** Changes whenever the file is replaced or modified. */
export const fileEtag = (stats: Pick<BigIntStats, 'mtimeNs' | 'size'>): string =>
  `${stats.mtimeNs.toString(16)}-${stats.size.toString(16)}`;
