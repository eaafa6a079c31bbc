import { hash } from 'node:crypto';
import { LEVELS, type Level } from '../../../common/engine/media-table/media-row';
import type { DatasetPointer } from '../../datasets';
import { ENTITY_TYPES, type EntityType } from './entity-type';

/** A cluster of one level, or a group of near duplicates. */
export type ClusterRef = LevelClusterRef | DuplicateGroupRef;

export interface LevelClusterRef {
  readonly entityType: EntityType;
  readonly level: Level;
  readonly cluster: number;
}

export interface DuplicateGroupRef {
  readonly entityType: EntityType;
  /** 0 to 1, to nine decimals. */
  readonly similarity: number;
  /** The centre of the group. */
  readonly centre: number;
}

/** What the clusters of a table version belong to. */
export type Clusterings = Pick<DatasetPointer, 'clusteringId' | 'objectClusteringId' | 'generation'>;

const clusteringOf = ({ clusteringId, objectClusteringId }: Clusterings, type: EntityType): string =>
  type === 'OBJECTS' ? (objectClusteringId ?? clusteringId) : clusteringId;

/** Stands in the field of the level. */
const DUPLICATES = 7;
const SIMILARITY_UNITS = 1e9;
const CHECK_BITS = 0x3fff_ffff;

/**
 * A cluster's id is a UUID (version 8) that encodes the cluster, so no lookup table is needed:
 * 48 bits of the clustering's hash, version, entity type (2), level (3), check (7), variant, cluster (32), check (30).
 */
export function clusterId(clusterings: Clusterings, ref: ClusterRef): string {
  if ('similarity' in ref) return duplicateGroupId(clusterings, ref);
  const clusteringId = clusteringOf(clusterings, ref.entityType);
  const check = checkOf(clusteringId, ref);
  return uuidOf({
    head: headOf(clusteringId),
    kind: (ENTITY_TYPES.indexOf(ref.entityType) << 10) | (ref.level << 7) | (check.readUInt8(0) & 0x7f),
    high: check.readUInt32BE(1),
    low: ref.cluster,
  });
}

/**
 * The same layout; the first 48 bits are a checksum of the whole, the 30 bits before the row (32) the similarity in billionths. Rows are those of a
 * generation: another one may have the same clusters, but without rows that were removed.
 */
function duplicateGroupId({ generation }: Clusterings, ref: DuplicateGroupRef): string {
  const { entityType, centre } = ref;
  const similarity = Math.round(ref.similarity * SIMILARITY_UNITS);
  const check = hashOf(`${generation}/duplicates/${entityType}/${similarity}/${centre}`);
  return uuidOf({
    head: check,
    kind: (ENTITY_TYPES.indexOf(entityType) << 10) | (DUPLICATES << 7) | (check.readUInt8(6) & 0x7f),
    high: similarity,
    low: centre,
  });
}

/** Undefined if the id is of another clustering, or of a group of other rows. */
export function parseClusterId(clusterings: Clusterings, id: string): ClusterRef | undefined {
  const hex = id.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(hex)) return undefined;
  const bytes = Buffer.from(hex, 'hex');
  const kind = bytes.readUInt16BE(6);
  const entityType = ENTITY_TYPES[(kind >> 10) & 3];
  if (entityType === undefined) return undefined;
  const row = bytes.readUInt32BE(12);
  const isAs = (known: string): boolean => known.replaceAll('-', '') === hex;
  if (((kind >> 7) & 7) === DUPLICATES) {
    const similarity = (bytes.readUInt32BE(8) & CHECK_BITS) / SIMILARITY_UNITS;
    const ref = { entityType, similarity, centre: row };
    return isAs(duplicateGroupId(clusterings, ref)) ? ref : undefined;
  }
  const level = LEVELS[(kind >> 7) & 7];
  if (level === undefined) return undefined;
  const ref = { entityType, level, cluster: row };
  return isAs(clusterId(clusterings, ref)) ? ref : undefined;
}

interface UuidParts {
  /** The first 48 bits are used. */
  readonly head: Buffer;
  readonly kind: number;
  /** The lower 30 bits are used. */
  readonly high: number;
  readonly low: number;
}

function uuidOf({ head, kind, high, low }: UuidParts): string {
  const bytes = Buffer.alloc(16);
  head.copy(bytes, 0, 0, 6);
  bytes.writeUInt16BE(0x8000 | kind, 6);
  bytes.writeUInt32BE((0x8000_0000 | (high & CHECK_BITS)) >>> 0, 8);
  bytes.writeUInt32BE(low, 12);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');

let lastHead: { readonly of: string; readonly head: Buffer } | undefined;

/** That of the clustering before is kept: a page has a hundred ids of one. */
function headOf(clusteringId: string): Buffer {
  if (lastHead?.of !== clusteringId) lastHead = { of: clusteringId, head: hashOf(clusteringId) };
  return lastHead.head;
}

const checkOf = (clusteringId: string, { entityType, level, cluster }: LevelClusterRef): Buffer =>
  hashOf(`${clusteringId}/${entityType}/${level}/${cluster}`);
