import type { components } from 'dataset-media-service-sdk';
import { texts } from '../../texts';

type Named = Pick<components['schemas']['Snapshot'], 'snapshot_name' | 'snapshot_id' | 'reason'>;

/** The service names an unnamed snapshot after its dataset and its id; its reason says more. */
export function nameOf({ snapshot_name: name, snapshot_id: id, reason }: Named): string {
  return name.endsWith(`_snapshot_${id}`) ? (texts.history.unnamed[reason] ?? name) : name;
}
