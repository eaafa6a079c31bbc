import type { AttributeTests } from '../../../../common/engine/annotations/attribute-tests';

/** Inclusive bounds. */
export type Bounds = readonly [least: number, most: number];

/** Which annotations of a source count. */
export interface ShapeCondition {
  /** Those without one do not pass. */
  readonly confidence?: Bounds;
  /** In square pixels; labels of whole pictures do not pass. */
  readonly area?: Bounds;
  readonly crowd?: boolean;
  readonly attributes?: AttributeTests;
  /** Not labels of whole pictures. */
  readonly marked?: true;
  /** How many a picture has at least; 1 if absent. */
  readonly count?: number;
}
