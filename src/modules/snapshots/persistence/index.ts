import { SnapshotEntity } from './snapshot.entity';

/** Its table is made by a migration of datasets, which point at snapshots. */
export const snapshotsPersistence = { entities: [SnapshotEntity], migrations: [] };
