export { CloneCompanions } from './clone-companions';
export { SnapshotBefore } from './snapshot-before';
export { SnapshotsModule } from './snapshots.module';
