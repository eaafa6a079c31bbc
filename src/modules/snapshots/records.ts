// A second door, below search: what is kept of a snapshot, without what is done with it.
export { defaultSnapshotName, type Snapshot } from './domain/snapshot';
export { assertSnapshotsEnabled, SnapshotNotFoundError } from './domain/snapshot-errors';
export { snapshotsPersistence } from './persistence';
export { SnapshotRepository } from './persistence/snapshot.repository';
export { SnapshotRecordsModule } from './snapshot-records.module';
