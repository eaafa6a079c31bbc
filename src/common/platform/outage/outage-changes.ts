import { channel } from 'node:diagnostics_channel';

export interface OutageChange {
  /** As in "Waiting for …". */
  readonly awaited: string;
  readonly isOutage: boolean;
}

/** Publishes when an outage begins and when it ends; a channel, because the engine also runs in processes without metrics. */
export const OUTAGE_CHANGES = channel('dataset-media-service:outages');
