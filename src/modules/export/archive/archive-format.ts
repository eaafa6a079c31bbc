import type { ArchiveMember } from '../../../common/platform/archives/zip-bytes';
import type { MediaItem } from '../domain/media-item';
import type { AppliedModels, MetadataField } from '../../datasets';

/** Information about the export in metadata files. */
export interface ExportInfo {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly datasetCreatedAt: Date;
  readonly exportedAt: Date;
  readonly exportedBy: string;
  readonly baseUrl: string;
  readonly items: number;
  /** The model of the vectors in the metadata; null without vectors. */
  readonly embeddingModel: string | null;
  /** The models whose findings are in the media. */
  readonly enrichments: AppliedModels;
  /** Of people; each is a column. */
  readonly fields: readonly MetadataField[];
}

/** All items of an export in batches of some thousands; every iteration returns the same items in the same order. */
export type MediaBatches = () => AsyncIterable<readonly MediaItem[]>;

export interface ArchiveFormat {
  /** How often `members` iterates over all items. */
  readonly walks: number;
  readonly members: (info: ExportInfo, items: MediaBatches) => Iterable<ArchiveMember> | AsyncIterable<ArchiveMember>;
}

/** The compression level of members that are texts. */
export const FAST = 1;
