import type { MediaItem } from '../domain/media-item';

/** All items of an export, a few thousand at a time; each walk over them gives the same items in the same order. */
export type MediaBatches = () => AsyncIterable<readonly MediaItem[]>;
