import type { MediaCluster, MediaPreview } from 'dataset-media-service-sdk';
import { formatPercent } from '../texts/format';

/** The similarity to the searched text or picture; null without one. */
export const likenessOf = ({
  relevance_score: distance,
}: Pick<MediaPreview | MediaCluster, 'relevance_score'>): string | null =>
  distance === null || distance === undefined ? null : formatPercent(Math.max(0, 1 - distance));
