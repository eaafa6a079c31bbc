import { hash } from 'node:crypto';
import { LEVELS, type Level } from '../../../common/media-table/media-row';
import { ENTITY_TYPES, type EntityType } from './entity-type';

export interface ClusterRef {
  readonly entityType: EntityType;
  readonly level: Level;
  readonly cluster: number;
}

/**
 * A cluster's id is a UUID (version 8) that says which cluster it is, so that it needs no table to be found again:
 * 48 bits of the clustering's hash, version, entity type (2), level (3), check (7), variant, cluster (32), check (30).
 */
export function clusterId(clusteringId: string, ref: ClusterRef): string {
  const bytes = Buffer.alloc(16);
  hashOf(clusteringId).copy(bytes, 0, 0, 6);
  const check = checkOf(clusteringId, ref);
  const kind = (ENTITY_TYPES.indexOf(ref.entityType) << 10) | (ref.level << 7) | (check.readUInt8(0) & 0x7f);
  bytes.writeUInt16BE(0x8000 | kind, 6);
  const high = (check.readUInt32BE(1) & 0x3fffffff) >>> 0;
  const low = BigInt(ref.cluster) | (BigInt(high) << 32n) | (0b10n << 62n);
  bytes.writeBigUInt64BE(low, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Undefined when the id is no cluster of this clustering. */
export function parseClusterId(clusteringId: string, id: string): ClusterRef | undefined {
  const hex = id.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  const kind = bytes.readUInt16BE(6);
  const entityType = ENTITY_TYPES[(kind >> 10) & 3];
  const level = LEVELS[(kind >> 7) & 7];
  if (entityType === undefined || level === undefined) return undefined;
  const ref = { entityType, level, cluster: bytes.readUInt32BE(12) };
  return clusterId(clusteringId, ref).replaceAll('-', '') === hex ? ref : undefined;
}

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');

const checkOf = (clusteringId: string, { entityType, level, cluster }: ClusterRef): Buffer =>
  hashOf(`${clusteringId}/${entityType}/${level}/${cluster}`);
