import { CLONE_SNAPSHOT } from './clone-snapshot.job';
import { RESTORE_SNAPSHOT } from './restore-snapshot.job';

export const SNAPSHOT_JOBS = [RESTORE_SNAPSHOT, CLONE_SNAPSHOT];
