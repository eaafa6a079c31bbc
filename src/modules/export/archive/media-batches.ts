import type { MediaItem } from '../domain/media-item';

/** All items of an export in batches of some thousands; every iteration returns the same items in the same order. */
export type MediaBatches = () => AsyncIterable<readonly MediaItem[]>;
