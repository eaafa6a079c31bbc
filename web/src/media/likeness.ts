import type { MediaCluster, MediaPreview } from 'dataset-media-service-sdk';
import { formatPercent } from '../texts/format';

/** How much it is like what was searched by; null where nothing was. */
export const likenessOf = ({
  relevance_score: distance,
}: Pick<MediaPreview | MediaCluster, 'relevance_score'>): string | null =>
  distance === null || distance === undefined ? null : formatPercent(Math.max(0, 1 - distance));
