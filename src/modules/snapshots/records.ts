// A second entry point, which versions and operations may import: snapshots without what is built on versions.
export { assertSnapshotsEnabled, SnapshotNotFoundError } from './domain/snapshot';
export { snapshotsPersistence } from './persistence/snapshot.repository';
export { SnapshotRecordsModule } from './snapshot-records.module';
export { TakeSnapshot } from './take-snapshot';
