// A second entry point, which versions and search may import: the records of snapshots without the operations.
export type { Snapshot } from './domain/snapshot';
export { assertSnapshotsEnabled, SnapshotNotFoundError } from './domain/snapshot-errors';
export { snapshotsPersistence } from './persistence';
export { SnapshotRepository } from './persistence/snapshot.repository';
export { SnapshotRecordsModule } from './snapshot-records.module';
export { TakeSnapshot } from './take-snapshot';
