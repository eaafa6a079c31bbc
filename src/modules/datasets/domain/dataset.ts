import { isSameVersion, type TableVersion } from '../../../common/engine/media-table/table-version';
import type { DatasetStatus } from './dataset-status';

export const SOURCE_TYPES = ['BUCKET', 'UPLOAD', 'LOCAL_FOLDER'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The exact table that readers open, and what its cluster columns mean. */
export interface DatasetPointer extends TableVersion {
  /** Names one clustering: cluster ids are stable for as long as it stands. */
  readonly clusteringId: string;
  readonly modelId: string;
  /** Made the embeddings of the captions. */
  readonly textModelId: string;
  readonly ladder: readonly number[];
  /** Which rows of the table carry which tags; null while none does. */
  readonly tagsFile: string | null;
}

/** Whether both show the same rows with the same tags. */
export const isSamePointer = (a: DatasetPointer, b: DatasetPointer): boolean =>
  isSameVersion(a, b) && a.tagsFile === b.tagsFile;

export interface DatasetCounts {
  readonly images: number;
  readonly videos: number;
  readonly objects: number;
  readonly frames: number;
}

export interface Dataset {
  readonly id: string;
  readonly workspaceId: string;
  readonly ownerId: string;
  readonly displayName: string;
  readonly description: string;
  readonly sourceType: SourceType;
  /** Where its media were read from; null for uploads. */
  readonly sourceUri: string | null;
  readonly createdAt: Date;
  readonly status: DatasetStatus;
  readonly progress: number;
  readonly counts: DatasetCounts;
  readonly fatalErrorMessage: string | null;
  readonly sourceDatasetId: string | null;
  readonly thumbnailKey: string | null;
  readonly pointer: DatasetPointer | null;
  /** Whether it has snapshots at all, decided when it was created. */
  readonly snapshotsSupported: boolean;
  /** The last one made or restored. */
  readonly currentSnapshotId: string | null;
}
