import { BadRequestError } from '../../../common/http/domain-error';
import type { GrowthParameters } from '../domain/growth-task';

/** What the task of a synchronisation keeps. */
export interface SyncParameters extends GrowthParameters {
  readonly source: { readonly kind: 'sync'; readonly prune: boolean };
}

export const isSync = (parameters: object): parameters is SyncParameters =>
  (parameters as Partial<SyncParameters>).source?.kind === 'sync';

export class NoSourceToSyncError extends BadRequestError {
  constructor(datasetId: string) {
    super(`Dataset ${datasetId} was made by upload, so it has no source to sync with`);
  }
}
