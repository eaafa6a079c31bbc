import { randomUUID } from 'node:crypto';
import type { Dataset } from '../../datasets';
import { defaultSnapshotName, type Snapshot } from './snapshot';

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
