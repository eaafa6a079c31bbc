import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Level, Box } from '../../../../common/engine/media-table/media-row';
import { jsonOf } from '../../../../common/platform/http/query-values';
import type { Quarantined } from '../../../../common/engine/compute/media-analysis';
import { BadRequestError, ConflictError, NotFoundError } from '../../../../common/platform/errors/domain-error';

export class AnchorNotFoundError extends NotFoundError {
  constructor() {
    super('Search anchor not found: it has expired or belongs to another dataset. Upload the image again.');
  }
}

/** Vectors of different models can't be compared. */
export class ModelMismatchError extends ConflictError {
  constructor(modelOfAnchor: string, modelOfDataset: string) {
    super(
      `The search image was embedded by the model ${modelOfAnchor}, the dataset by ${modelOfDataset}. Search with a media_id of the dataset, or upload the image again.`,
    );
  }
}

export class InvalidEntityTypeError extends BadRequestError {
  constructor() {
    super(`entity_type is required: one of ${ANCHOR_ENTITY_TYPES.join(', ')}`);
  }
}

export class NoQueryImageError extends BadRequestError {
  constructor() {
    super("No image was sent: it goes into the form field 'file'");
  }
}

export class InvalidRegionError extends BadRequestError {
  constructor() {
    super(
      'bounding_box is not valid: use a JSON object with x, y, width and height as fractions of the image (0 to 1), not empty and inside the image',
    );
  }
}

export class UnusableImageError extends BadRequestError {
  constructor({ reason, detail }: Quarantined) {
    super(`The image can't be searched with (${reason}): ${detail}`);
  }
}

/** Tolerance for the rounding of fractions. */
const ROUNDING = 1e-6;

const fraction = z.number().min(0).max(1);
const region = z
  .object({ x: fraction.lt(1), y: fraction.lt(1), width: fraction.gt(0), height: fraction.gt(0) })
  .refine(({ x, width }) => x + width <= 1 + ROUNDING)
  .refine(({ y, height }) => y + height <= 1 + ROUNDING);

/** Videos are excluded, because they have no image. */
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

/** Parses the part of an image to search with, given in a query string. */
export function parseRegion(text: string): Box {
  const parsed = region.safeParse(jsonOf(text));
  if (!parsed.success) throw new InvalidRegionError();
  const { x, y, width, height } = parsed.data;
  return { x, y, width: Math.min(width, 1 - x), height: Math.min(height, 1 - y) };
}
