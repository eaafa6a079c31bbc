export const SHAPE_KINDS = ['label', 'box', 'polygon', 'mask', 'keypoints'] as const;
/** What an annotation marks; `label` is about its whole picture. */
export type ShapeKind = (typeof SHAPE_KINDS)[number];

/** In pixels of the upright picture: left, top, width, height. */
export type BoxNumbers = readonly [left: number, top: number, width: number, height: number];

/** Run lengths of a bitmap in columns, beginning with zeros, in the compressed text of COCO. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly counts: string;
}

export type AttributeValue = string | number | boolean;

/** What a shape consists of. A polygon, a mask and keypoints may have a box beside them, as in COCO. */
export interface Shape {
  readonly box?: BoxNumbers;
  /** Degrees clockwise around the centre of the box. */
  readonly rotation?: number;
  /** Rings of alternating x and y; a point is inside if it is inside an odd number of rings. */
  readonly polygon?: readonly (readonly number[])[];
  readonly mask?: Mask;
  /** Alternating x, y and visibility: 0 not labelled, 1 hidden, 2 visible. */
  readonly keypoints?: readonly number[];
}

/** One annotation of a picture by one source, as it is stored. */
export interface Annotation extends Shape {
  /** Unique among those of its source in its picture. */
  readonly id: string;
  readonly label: string;
  /** 0..1; absent for what people say. */
  readonly confidence?: number;
  /** In square pixels, if it was given. */
  readonly area?: number;
  readonly attributes?: Readonly<Record<string, AttributeValue>>;
  /** Stands for several things that are not told apart. */
  readonly crowd?: true;
  /** Not counted in comparisons. */
  readonly ignored?: true;
  readonly trackId?: string;
  /** Absent, as the times, for what the media table says. */
  readonly createdBy?: string;
  /** ISO 8601. */
  readonly createdAt?: string;
  readonly updatedAt?: string;
  /** Another one after each change, and never that of anything else with this id. */
  readonly version: number;
}

/** One as it is sent, before it is stored. */
export interface SaidAnnotation extends Omit<Annotation, 'id' | 'createdBy' | 'createdAt' | 'updatedAt' | 'version'> {
  readonly id?: string;
}

export function shapeKindOf({ box, polygon, mask, keypoints }: Shape): ShapeKind {
  if (keypoints !== undefined) return 'keypoints';
  if (mask !== undefined) return 'mask';
  if (polygon !== undefined) return 'polygon';
  return box === undefined ? 'label' : 'box';
}
