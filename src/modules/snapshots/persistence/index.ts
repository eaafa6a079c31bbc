import { SnapshotEntity } from './snapshot.repository';

/** The table is created by a migration of `datasets`, which reference snapshots. */
export const snapshotsPersistence = { entities: [SnapshotEntity], migrations: [] };
