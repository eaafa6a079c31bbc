import { type Shape, type ShapeKind, shapeKindOf } from '../annotations/annotation';
import type { Holds } from './annotation-format';
import { cornersOf, cutToPicture, enclosingBox, hasHoles, joined, ringsOfMask } from './convert-shapes';
import type { FileAnnotation, FilePicture } from './file-picture';
import { isModestInRows } from './mask-rows';
import { safeSegment } from './member-names';
import { isTrackNumber } from './sequences';

const NAMES = {
  label: 'labels of whole pictures',
  box: 'boxes',
  polygon: 'polygons',
  mask: 'masks',
  keypoints: 'keypoints',
} as const satisfies Record<ShapeKind, string>;

/** Of an annotation, besides its shape. */
const FIELDS = {
  confidence: 'confidences',
  attributes: 'attributes',
  id: 'ids',
  area: 'areas',
  crowd: 'crowds',
  ignored: 'marks of what is ignored',
  trackId: 'tracks',
} as const satisfies Partial<Record<keyof FileAnnotation, string>>;
type Field = keyof typeof FIELDS;

export interface Loss {
  readonly what: string;
  readonly count: number;
  /** What is written instead; null if it is left out. */
  readonly becomes: string | null;
}

/** Counts what a format cannot hold. */
export class Losses {
  private readonly losses = new Map<string, Loss & { count: number }>();

  add(what: string, becomes: string | null = null): void {
    const key = `${what} ${becomes}`;
    const known = this.losses.get(key);
    if (known === undefined) this.losses.set(key, { what, count: 1, becomes });
    else known.count += 1;
  }

  list(): readonly Loss[] {
    return [...this.losses.values()];
  }
}

/** The picture with what a format holds of its annotations. */
export function fitted(picture: FilePicture, holds: Holds, losses: Losses): FilePicture {
  const annotations: FileAnnotation[] = [];
  let labels = 0;
  for (const annotation of picture.annotations) {
    const kept = fittedAnnotation(annotation, picture, holds, losses);
    if (kept === undefined) continue;
    const isInFolder = shapeKindOf(kept) === 'label' && holds.labels === 'folder';
    if (isInFolder && ++labels > 1) {
      losses.add('further labels of a picture');
      continue;
    }
    if (isInFolder && safeSegment(kept.label).trim() !== kept.label) losses.add('labels', 'similar names of folders');
    annotations.push(kept);
  }
  if (holds.pictures === 'labelled' && annotations.length === 0) losses.add('pictures without a label');
  return { ...picture, annotations };
}

function fittedAnnotation(
  annotation: FileAnnotation,
  picture: FilePicture,
  holds: Holds,
  losses: Losses,
): FileAnnotation | undefined {
  if (holds.tracks === 'only' && annotation.trackId === undefined) {
    losses.add('annotations without a track');
    return undefined;
  }
  const fitting = fittedShape(annotation, picture, holds, losses);
  const shape = holds.beyond || fitting === undefined ? fitting : cutShape(fitting, picture, losses);
  return shape && { label: annotation.label, ...shape, ...fieldsOf(annotation, holds, losses) };
}

function fieldsOf(annotation: FileAnnotation, holds: Holds, losses: Losses): Partial<FileAnnotation> {
  const isHeld: Record<Field, boolean> = {
    confidence: holds.confidence,
    attributes: holds.attributes,
    id: holds.ids,
    area: holds.areas,
    crowd: holds.crowd,
    ignored: holds.ignored,
    trackId: holds.tracks === true || (holds.tracks !== false && shapeKindOf(annotation) !== 'label'),
  };
  const kept: Partial<Record<Field, unknown>> = {};
  for (const field of Object.keys(FIELDS) as Field[]) {
    const value = annotation[field];
    if (value === undefined || (field === 'attributes' && Object.keys(value).length === 0)) continue;
    if (isHeld[field]) kept[field] = value;
    else losses.add(FIELDS[field]);
  }
  const track = kept.trackId;
  if (typeof track === 'string' && holds.tracks !== true && !isTrackNumber(track))
    losses.add('names of tracks', 'numbers');
  return kept as Partial<FileAnnotation>;
}

function fittedShape(
  annotation: FileAnnotation,
  picture: FilePicture,
  holds: Holds,
  losses: Losses,
): Shape | undefined {
  const kind = shapeKindOf(annotation);
  const to = kind === 'mask' && !isMaskHeld(annotation, picture, holds) ? 'polygon' : holds.shapes[kind];
  const shape = to === null ? undefined : shapeAs(to, kind, annotation, picture, holds);
  if (shape === undefined) losses.add(NAMES[kind]);
  else if (to !== kind) losses.add(NAMES[kind], NAMES[to!]);
  else countChanges(kind, annotation, shape, losses);
  return shape;
}

function cutShape(shape: Shape, picture: FilePicture, losses: Losses): Shape | undefined {
  const cut = cutToPicture(shape, picture);
  if (cut === undefined) losses.add(`${NAMES[shapeKindOf(shape)]} outside of their picture`);
  else if (cut !== shape)
    losses.add(`${NAMES[shapeKindOf(shape)]} that reach beyond their picture`, 'cut at its border');
  return cut;
}

function isMaskHeld({ mask, trackId }: FileAnnotation, { width, height }: FilePicture, holds: Holds): boolean {
  if (holds.masks === 'any') return true;
  if (mask!.width !== width || mask!.height !== height) return false;
  return holds.masks === 'fitting' || (trackId === undefined && isModestInRows(mask!));
}

/** Undefined for one without extent. */
function shapeAs(
  to: ShapeKind,
  kind: ShapeKind,
  annotation: FileAnnotation,
  picture: FilePicture,
  holds: Holds,
): Shape | undefined {
  const { box, rotation, polygon, mask, keypoints } = annotation;
  const beside = holds.boxBeside && box !== undefined && kind !== 'box' ? { box } : {};
  switch (to) {
    case 'label':
      return {};
    case 'box': {
      if (kind === 'box' && (rotation === undefined || holds.rotation))
        return { box: box!, ...(rotation !== undefined && { rotation }) };
      if (kind === 'box' && holds.shapes.polygon === 'polygon') return { polygon: [cornersOf(box!, rotation)] };
      const enclosing = enclosingBox(annotation, picture);
      return enclosing && { box: enclosing };
    }
    case 'polygon': {
      const rings = polygon ?? (mask === undefined ? [cornersOf(box!, rotation)] : ringsOfMask(mask, picture));
      return rings.length === 0 ? undefined : { ...beside, polygon: heldRings(rings, holds) };
    }
    case 'mask':
      return { ...beside, mask: mask! };
    case 'keypoints':
      return { ...beside, keypoints: keypoints! };
  }
}

function heldRings(rings: readonly (readonly number[])[], { rings: held }: Holds): readonly (readonly number[])[] {
  const isHeld = rings.length === 1 || held === 'many' || (held === 'apart' && !hasHoles(rings));
  return isHeld ? rings : [joined(rings)];
}

function countChanges(kind: ShapeKind, before: FileAnnotation, after: Shape, losses: Losses): void {
  if (kind === 'box') {
    if (after.polygon !== undefined) losses.add('rotated boxes', 'polygons');
    else if (after.rotation !== before.rotation) losses.add('rotated boxes', 'upright boxes');
    return;
  }
  if (before.box !== undefined && after.box === undefined) losses.add('boxes beside other shapes');
  if (after.polygon?.length !== before.polygon?.length) losses.add('polygons of several rings', 'polygons of one ring');
}
