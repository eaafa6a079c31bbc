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
  /** Whose annotations the archive has, if not those of the table only. */
  readonly source: string | null;
}

/** All items of an export in batches of some thousands; every iteration returns the same items in the same order. */
export type MediaBatches = () => AsyncIterable<readonly MediaItem[]>;

/** An image of an export; without bytes if it cannot be read. */
export interface ExportedImage {
  readonly item: MediaItem;
  readonly bytes?: Uint8Array;
}

export interface ArchiveFormat {
  /** How often `members` iterates over all items. */
  readonly walks: number;
  readonly members: (info: ExportInfo, items: MediaBatches) => Iterable<ArchiveMember> | AsyncIterable<ArchiveMember>;
  /** The place of an image, whose name is unique in the archive; null leaves it out. By default below `images/`. */
  readonly imageAt?: (item: MediaItem, name: string) => string | null;
  /** Instead of images and members. */
  readonly withImages?: (info: ExportInfo, images: AsyncIterable<ExportedImage>) => AsyncIterable<ArchiveMember>;
}
