export { CloneCompanions } from './clone-companions';
export { SNAPSHOT_JOBS } from './jobs';
export { SnapshotsModule } from './snapshots.module';
