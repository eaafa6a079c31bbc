export { CloneCompanions } from './clone-companions';
export { SnapshotsModule } from './snapshots.module';
