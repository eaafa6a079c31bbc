import { hash } from 'node:crypto';
import { LEVELS, type Level } from '../../../../common/engine/media-table/media-row';
import type { DatasetPointer } from '../../../datasets';
import { ENTITY_TYPES, type EntityType } from '../../domain/entity-type';

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

/** The clustering that clusters of a table version belong to. */
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
  const { entityType, level, cluster } = ref;
  const clusteringId = clusteringOf(clusterings, entityType);
  const check = hashOf(`${clusteringId}/${entityType}/${level}/${cluster}`);
  return uuidOf({
    head: headOf(clusteringId),
    kind: (ENTITY_TYPES.indexOf(entityType) << 10) | (level << 7) | (numberIn(check, 0, 2) & 0x7f),
    high: numberIn(check, 2, 10),
    low: cluster,
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
    kind: (ENTITY_TYPES.indexOf(entityType) << 10) | (DUPLICATES << 7) | (numberIn(check, 12, 14) & 0x7f),
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
  /** Hex; the first 12 digits are used. */
  readonly head: string;
  readonly kind: number;
  /** The lower 30 bits are used. */
  readonly high: number;
  readonly low: number;
}

/** By texts: a page has a hundred ids, and buffers take several times as long. */
function uuidOf({ head, kind, high, low }: UuidParts): string {
  const upper = digits(8, (0x8000_0000 | (high & CHECK_BITS)) >>> 0);
  const lower = digits(8, low);
  const groups = [
    head.slice(0, 8),
    head.slice(8, 12),
    digits(4, 0x8000 | kind),
    upper.slice(0, 4),
    upper.slice(4) + lower,
  ];
  return groups.join('-');
}

const digits = (count: number, number: number): string => number.toString(16).padStart(count, '0');

const numberIn = (hex: string, start: number, end: number): number => Number.parseInt(hex.slice(start, end), 16);

const hashOf = (text: string): string => hash('sha256', text, 'hex');

let lastHead: { readonly of: string; readonly head: string } | undefined;

/** That of the clustering before is kept: a page has the ids of one. */
function headOf(clusteringId: string): string {
  if (lastHead?.of !== clusteringId) lastHead = { of: clusteringId, head: hashOf(clusteringId) };
  return lastHead.head;
}
