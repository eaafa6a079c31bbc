import { randomUUID } from 'node:crypto';
import { isSameVersion, type TableVersion } from '../../../common/engine/media-table/table-version';
import type { DatasetStatus } from './dataset-status';
import type { EnrichmentType } from '../../../common/engine/models/model-manifest';
import type { ModelOptions } from '../../../common/engine/models/picture-model';
import type { Principal } from '../../../common/platform/http/principal';
import type { MetadataType } from '../../../common/engine/media-table/media-row';

/** A tag with its name; stored in snapshots and exports for their assignments. */
export interface NamedTag {
  readonly id: string;
  readonly name: string;
  readonly createdBy: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A field that people defined. It keeps its type in all versions of the dataset. */
export interface MetadataField {
  readonly name: string;
  readonly type: MetadataType;
  /** Of an enum whose values are declared; null for any value. */
  readonly enumOptions: readonly string[] | null;
  /** Whether a value is a list of options. */
  readonly isMulti: boolean;
}

/** Of a dataset. */
export const MAX_METADATA_FIELDS = 500;

/** A new dataset that is made from another; empty until a job has published its table. */
export const derivedDataset = (
  source: Dataset,
  words: Pick<Dataset, 'displayName' | 'description'>,
  owner: Principal,
): Dataset => ({
  ...source,
  ...words,
  id: randomUUID(),
  ownerId: owner.userId,
  createdAt: new Date(),
  status: 'DRAFT',
  progress: 0,
  counts: { images: 0, videos: 0, objects: 0, frames: 0 },
  fatalErrorMessage: null,
  sourceDatasetId: source.id,
  thumbnailKey: null,
  pointer: null,
  currentSnapshotId: null,
});

type DatasetOrder = 'date' | 'name' | 'status';

const newestFirst = (a: Dataset, b: Dataset): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || a.id.localeCompare(b.id);

const COMPARE: Readonly<Record<DatasetOrder, (a: Dataset, b: Dataset) => number>> = {
  date: newestFirst,
  name: (a, b) => a.displayName.localeCompare(b.displayName) || newestFirst(a, b),
  status: (a, b) => a.status.localeCompare(b.status) || newestFirst(a, b),
};

export const compareBy = (order: DatasetOrder): ((a: Dataset, b: Dataset) => number) => COMPARE[order];

const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/** Drafts that were not touched for a day are hidden in lists. */
export const isHidden = (dataset: Dataset, now: Date): boolean =>
  dataset.status === 'DRAFT' && now.getTime() - dataset.createdAt.getTime() > ABANDONED_AFTER_MS;

export interface AppliedModel {
  readonly id: string;
  /** The options of the request. */
  readonly metadata: ModelOptions;
}

/** The models whose results a table holds, by type. */
export type AppliedModels = Readonly<Partial<Record<EnrichmentType, AppliedModel>>>;

export const SOURCE_TYPES = ['BUCKET', 'UPLOAD', 'LOCAL_FOLDER'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** A version of the table, with the files beside it. */
export interface VersionPlace extends TableVersion {
  /** File with the tag assignments; null if there are none. */
  readonly tagsFile: string | null;
  /** What sources say about the media; null if there is none. */
  readonly annotationState: string | null;
}

/** All that tells it from others. */
export const placeOf = ({ generation, version, tagsFile, annotationState }: VersionPlace) =>
  [generation, version, tagsFile, annotationState] as const;

/** The exact version that readers open, with its clustering and models. */
export interface DatasetPointer extends VersionPlace {
  /** Id of the clustering; cluster ids are valid as long as it stays the same. */
  readonly clusteringId: string;
  /** The same for objects that were clustered apart from the images; null if together. */
  readonly objectClusteringId: string | null;
  readonly modelId: string;
  /** The model of the caption embeddings. */
  readonly textModelId: string;
  readonly ladder: readonly number[];
  /** The cosine from which two pictures count as near duplicates. */
  readonly nearDuplicates: number;
  readonly enrichments: AppliedModels;
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
  /** Whether the images and frames of its creation and of later additions are labelled with the name of the folder of their file. */
  readonly labelsFromFolders: boolean;
  /** The snapshot created or restored last. */
  readonly currentSnapshotId: string | null;
}
