import { randomUUID } from 'node:crypto';
import type { Principal } from '../../../common/platform/http/principal';
import type { Dataset } from '../../datasets';

/** The copy that receives the results. It shows the table of its source until these are written. */
export const enrichedCopy = (source: Dataset, owner: Principal): Dataset => ({
  ...source,
  id: randomUUID(),
  ownerId: owner.userId,
  displayName: `${source.displayName} (enriched)`,
  createdAt: new Date(),
  status: 'DRAFT',
  progress: 0,
  fatalErrorMessage: null,
  sourceDatasetId: source.id,
  currentSnapshotId: null,
});
