import { randomUUID } from 'node:crypto';
import type { Level } from '../../../../common/engine/media-table/media-row';

/** Videos have no picture of their own to compare with. */
export const ANCHOR_ENTITY_TYPES = ['IMAGES', 'OBJECTS'] as const;
export type AnchorEntityType = (typeof ANCHOR_ENTITY_TYPES)[number];

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A picture to search a dataset with, known by its vector alone. */
export interface SearchAnchor {
  readonly id: string;
  readonly datasetId: string;
  readonly entityType: AnchorEntityType;
  readonly level: number;
  readonly modelId: string;
  readonly embedding: Float32Array;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface AnchorWish {
  readonly datasetId: string;
  readonly entityType: AnchorEntityType;
  readonly level: Level;
  readonly modelId: string;
}

export const newAnchor = (wish: AnchorWish, embedding: Float32Array, now: Date): SearchAnchor => ({
  ...wish,
  id: randomUUID(),
  embedding,
  createdAt: now,
  expiresAt: new Date(now.getTime() + LIFETIME_MS),
});
