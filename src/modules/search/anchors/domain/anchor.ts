import { randomUUID } from 'node:crypto';
import type { Level } from '../../../../common/engine/media-table/media-row';

/** Without videos, which have no image of their own. */
export const ANCHOR_ENTITY_TYPES = ['IMAGES', 'OBJECTS'] as const;
export type AnchorEntityType = (typeof ANCHOR_ENTITY_TYPES)[number];

const LIFETIME_MS = 24 * 60 * 60 * 1000;

/** An uploaded image to search a dataset with, stored as its vector. */
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

export interface AnchorRequest {
  readonly datasetId: string;
  readonly entityType: AnchorEntityType;
  readonly level: Level;
  readonly modelId: string;
}

export const newAnchor = (wish: AnchorRequest, embedding: Float32Array, now: Date): SearchAnchor => ({
  ...wish,
  id: randomUUID(),
  embedding,
  createdAt: now,
  expiresAt: new Date(now.getTime() + LIFETIME_MS),
});
