export { CloneCompanions, type EvaluationCopies } from './clone-snapshot.use-case';
export { SnapshotBefore } from './snapshot-before';
export { SnapshotsModule } from './snapshots.module';
