import { hash, randomUUID } from 'node:crypto';
import type { AppliedModels, Dataset } from '../../datasets';
import type { Principal } from '../../../common/platform/http/principal';

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

/** The state of a dataset's enrichment, as `context` and `status` name it. */
export const CONTEXT_STATUSES = ['NEW', 'RUNNING', 'COMPLETED', 'FAILED', 'ABORTED'] as const;
export type ContextStatus = (typeof CONTEXT_STATUSES)[number];

/** A dataset has one context as long as it exists; its id is a UUID (version 8) derived from the dataset's. */
export function contextIdOf(datasetId: string): string {
  const bytes = hash('sha256', `enrichment context of ${datasetId}`, 'buffer');
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const isAnythingApplied = (applied: AppliedModels): boolean => Object.keys(applied).length > 0;
