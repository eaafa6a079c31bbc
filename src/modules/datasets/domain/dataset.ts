import { isSameVersion, type TableVersion } from '../../../common/engine/media-table/table-version';
import type { AppliedModels } from './applied-models';
import type { DatasetStatus } from './dataset-status';

export const SOURCE_TYPES = ['BUCKET', 'UPLOAD', 'LOCAL_FOLDER'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The exact table version that readers open, with its clustering and models. */
export interface DatasetPointer extends TableVersion {
  /** Id of the clustering; cluster ids are valid as long as it stays the same. */
  readonly clusteringId: string;
  /** The same for objects that were clustered apart from the images; null if together. */
  readonly objectClusteringId: string | null;
  readonly modelId: string;
  /** The model of the caption embeddings. */
  readonly textModelId: string;
  readonly ladder: readonly number[];
  readonly enrichments: AppliedModels;
  /** File with the tag assignments; null if there are none. */
  readonly tagsFile: string | null;
}

/** Whether both have the same rows with the same tags. */
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
  /** Location of the media; null for uploads. */
  readonly sourceUri: string | null;
  readonly createdAt: Date;
  readonly status: DatasetStatus;
  readonly progress: number;
  readonly counts: DatasetCounts;
  readonly fatalErrorMessage: string | null;
  readonly sourceDatasetId: string | null;
  readonly thumbnailKey: string | null;
  readonly pointer: DatasetPointer | null;
  /** Whether the dataset can have snapshots; fixed at its creation. */
  readonly snapshotsSupported: boolean;
  /** The snapshot created or restored last. */
  readonly currentSnapshotId: string | null;
}
