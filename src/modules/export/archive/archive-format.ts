import type { ArchiveMember } from '../../../common/platform/archives/zip-bytes';
import type { MediaItem } from '../domain/media-item';
import type { ExportInfo } from './export-info';

/** All items of an export in batches of some thousands; every iteration returns the same items in the same order. */
export type MediaBatches = () => AsyncIterable<readonly MediaItem[]>;

export interface ArchiveFormat {
  /** How often `members` iterates over all items. */
  readonly walks: number;
  readonly members: (info: ExportInfo, items: MediaBatches) => Iterable<ArchiveMember> | AsyncIterable<ArchiveMember>;
}

/** The compression level of members that are texts. */
export const FAST = 1;
