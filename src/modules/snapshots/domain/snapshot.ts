import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  type DatasetCounts,
  type DatasetPointer,
  type NamedTag,
  type Dataset,
  type DatasetStatus,
  DATASET_STATUSES,
} from '../../datasets';
import { ConflictError, ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';

export class SnapshotNotFoundError extends NotFoundError {
  constructor() {
    super('Snapshot not found');
  }
}

class SnapshotsDisabledError extends ForbiddenError {
  constructor() {
    super('Snapshot feature is not enabled');
  }
}

class SnapshotsUnsupportedError extends ForbiddenError {
  constructor() {
    super('Snapshot feature is not enabled for this dataset');
  }
}

export class CurrentSnapshotError extends ConflictError {
  constructor() {
    super('The current snapshot cannot be deleted');
  }
}

export class SnapshotBeingRestoredError extends ConflictError {
  constructor() {
    super('A snapshot that is being restored cannot be deleted');
  }
}

/** Parameters of a SNAPSHOT_CLONE task: the snapshot of the new dataset. */
export const cloning = z.object({ snapshotId: z.string() });
export type Cloning = z.infer<typeof cloning>;

/** Parameters of a SNAPSHOT_RESTORE task, with the status to return to if it fails. */
export const restoration = cloning.extend({ previousStatus: z.enum(DATASET_STATUSES) });
export type Restoration = z.infer<typeof restoration>;

/** Statuses in which a dataset can be restored to a snapshot, and its snapshots can be cloned. */
export const RESTORABLE: readonly DatasetStatus[] = ['READY', 'PARTIAL INDEX', 'ERROR'];

export const SNAPSHOT_REASONS = ['manual', 'creation', 'clone', 'enrichment', 'removal'] as const;
export type SnapshotReason = (typeof SNAPSHOT_REASONS)[number];

/** A saved state of a dataset that can be searched, restored and cloned. */
export interface Snapshot {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly description: string;
  readonly reason: SnapshotReason;
  readonly createdAt: Date;
  /** E-mail address. */
  readonly createdBy: string;
  readonly pointer: DatasetPointer;
  readonly tags: readonly NamedTag[];
  readonly counts: DatasetCounts;
  readonly thumbnailKey: string | null;
}

export const defaultSnapshotName = (datasetName: string, snapshotId: string): string =>
  `${datasetName}_snapshot_${snapshotId}`;

/** The first snapshot of a clone, with the state of the original. */
export function copiedSnapshot(original: Snapshot, clone: Dataset, createdBy: string): Snapshot {
  const id = randomUUID();
  return {
    ...original,
    id,
    datasetId: clone.id,
    name: defaultSnapshotName(clone.displayName, id),
    description: '',
    reason: 'clone',
    createdAt: new Date(),
    createdBy,
  };
}

/** Snapshots must be enabled in the installation, and in the dataset since its creation. */
export function assertSnapshotsEnabled(enabled: boolean, dataset: Pick<Dataset, 'snapshotsSupported'>): void {
  if (!enabled) throw new SnapshotsDisabledError();
  if (!dataset.snapshotsSupported) throw new SnapshotsUnsupportedError();
}
