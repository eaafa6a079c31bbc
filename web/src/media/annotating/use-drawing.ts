import { useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';
import { followPointer } from '../../design/events';
import { boundsOf, type Shape, type ShownAnnotation, type Size } from '../annotations/shapes';
import type { Zoom } from '../use-zoom';
import { brushIn, editedMask, isMasking, wayTo } from './masking';
import {
  boxBetween,
  dragged,
  handlesOf,
  LEAST_POINTS,
  moved,
  onPicture,
  withPoint,
  type Place,
  type PlacedHandle,
} from './shape-changes';
import { edgeAt, handleAt, shapeAt } from './shape-finding';
import type { EditMode } from './use-edit-mode';
import { NO_DRAWING, useNewShape, type Drawing, type NewShape } from './use-new-shape';

/** Pixels of the screen. */
export const REACH = 8;
const REACH_OF_FINGERS = 22;
const SMALLEST = 3;
const GAP = 22;
const GAP_OF_FINGERS = 44;

export interface Surface {
  readonly size: Size;
  /** Pixels of the screen for one of the picture. */
  readonly scale: number;
  readonly placeOf: (event: { readonly clientX: number; readonly clientY: number }) => Place;
}

export interface DrawingTools extends NewShape {
  readonly handles: readonly PlacedHandle[];
  /** Where the pointer is on the picture. */
  readonly pointer: RefObject<Place | null>;
  readonly onPointerDown: (event: ReactPointerEvent) => void;
  readonly onPointerMove: (event: ReactPointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onDoubleClick: (event: { readonly clientX: number; readonly clientY: number }) => void;
}

export const boundsIn = (shape: Shape, size: Size) => boundsOf(shape, size) ?? { left: 0, top: 0, right: 0, bottom: 0 };

/** Draws new shapes, and selects and drags those that are there. */
export function useDrawing(
  mode: EditMode,
  shown: readonly ShownAnnotation[],
  surface: () => Surface,
  zoom: Zoom,
): DrawingTools {
  const tools = useNewShape(mode, shown, surface().size);
  const pointer = useRef<Place | null>(null);
  const { drawing, onDrawing } = tools;
  const shape = drawing.dragging ?? mode.selected?.shape ?? null;
  const latest = useRef(mode);
  latest.current = mode;
  const [gap] = useState(() => (window.matchMedia('(pointer: coarse)').matches ? GAP_OF_FINGERS : GAP));
  const handlesAt = (scale: number) => (mode.isOwn && shape !== null ? handlesOf(shape, gap / scale) : []);
  // What was seen when the pointer was pressed may have been saved meanwhile.
  const reshape = (changed: Shape) => latest.current.reshape(changed);
  return {
    ...tools,
    pointer,
    handles: handlesAt(surface().scale),
    onPointerDown: (event) => {
      const at = surface();
      const reach = (event.pointerType === 'mouse' ? REACH : REACH_OF_FINGERS) / at.scale;
      if (event.button !== 0) zoom.onPointerDown(event);
      else if (mode.tool === 'select')
        grab(event, { mode, reshape, shown, zoom, onDrawing, at, reach, handles: handlesAt(at.scale) });
      else drawWith(event, { mode, tools, shown, at, reach });
    },
    onPointerMove: (event) => {
      pointer.current = onPicture(surface().placeOf(event), surface().size);
      const isPainting = isMasking(mode.tool) && event.buttons !== 0;
      if (!isPainting && (isMasking(mode.tool) || drawing.points.length > 0))
        onDrawing({ ...drawing, next: pointer.current });
    },
    onPointerLeave: () => {
      pointer.current = null;
      if (isMasking(mode.tool) && drawing.points.length === 0) onDrawing(NO_DRAWING);
    },
    onDoubleClick: (event) => {
      const at = surface();
      const edge = shape === null || !mode.isOwn ? undefined : edgeAt(shape, at.placeOf(event), REACH / at.scale);
      if (mode.tool === 'select' && shape?.type === 'polygon' && edge !== undefined)
        mode.reshape(withPoint(shape, edge, at.placeOf(event)));
    },
  };
}

interface Grab {
  readonly mode: EditMode;
  readonly reshape: (shape: Shape) => void;
  readonly shown: readonly ShownAnnotation[];
  readonly zoom: Zoom;
  readonly onDrawing: (drawing: Drawing) => void;
  readonly at: Surface;
  readonly reach: number;
  readonly handles: readonly PlacedHandle[];
}

/** A handle, otherwise a shape, otherwise the picture. */
function grab(down: ReactPointerEvent, of: Grab): void {
  const { mode, reshape, shown, zoom, onDrawing, at, reach, handles } = of;
  const from = at.placeOf(down);
  const { selected } = mode;
  const handle = handleAt(handles, from, reach);
  if (selected?.shape && handle !== undefined) {
    const { shape } = selected;
    drag(down, at, onDrawing, reshape, (to, event) => dragged(shape, handle.handle, to, at.size, event.shiftKey));
    return;
  }
  const found = shapeAt(shown, from, reach, at.size);
  mode.select(found?.key ?? null);
  if (found === undefined) zoom.onPointerDown(down);
  // One that was not selected is not moved by accident.
  if (found === undefined || found.shape === null || found.key !== selected?.key || !mode.isOwn) return;
  const { shape } = found;
  if (shape.type === 'mask') return;
  const bounds = boundsIn(shape, at.size);
  drag(down, at, onDrawing, reshape, (to) => moved(shape, { x: to.x - from.x, y: to.y - from.y }, bounds, at.size));
}

function drag(
  down: ReactPointerEvent,
  at: Surface,
  onDrawing: (drawing: Drawing) => void,
  reshape: (shape: Shape) => void,
  shapeFor: (to: Place, event: PointerEvent) => Shape,
): void {
  let last: Shape | null = null;
  followPointer(
    down,
    (event) => {
      if (last === null && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SMALLEST) return;
      last = shapeFor(at.placeOf(event), event);
      onDrawing({ ...NO_DRAWING, dragging: last });
    },
    (isLifted) => {
      onDrawing(NO_DRAWING);
      if (last !== null && isLifted) reshape(last);
    },
  );
}

interface With {
  readonly mode: EditMode;
  readonly tools: NewShape;
  readonly shown: readonly ShownAnnotation[];
  readonly at: Surface;
  readonly reach: number;
}

/** A polygon is drawn by clicks, up to one on its first point, and keypoints by a click each; others by dragging. */
function drawWith(down: ReactPointerEvent, using: With): void {
  const { mode, at } = using;
  const from = onPicture(at.placeOf(down), at.size);
  if (isMasking(mode.tool)) brushFrom(down, from, using);
  else if (mode.tool === 'box') boxFrom(down, from, using);
  else if (down.pointerType !== 'touch') pressAt(from, down.shiftKey, using);
  // A second finger may follow, which zooms.
  else
    followPointer(
      down,
      () => undefined,
      (isLifted) => isLifted && pressAt(from, false, using),
    );
}

/** On the point that ends a shape, or another one. */
function pressAt(from: Place, isTaken: boolean, { mode, tools, reach }: With): void {
  const { points } = tools.drawing;
  const end = mode.tool === 'polygon' ? points[0] : mode.skeleton === undefined ? points.at(-1) : undefined;
  const isOnEnd = end !== undefined && Math.hypot(end.x - from.x, end.y - from.y) <= reach;
  if (mode.tool === 'take') tools.take(from, reach);
  else if (isOnEnd && (mode.tool === 'keypoints' || points.length >= LEAST_POINTS)) tools.close(isTaken);
  else tools.put(from);
}

function boxFrom(down: ReactPointerEvent, from: Place, { tools, at }: With): void {
  let to = from;
  tools.onDrawing({ ...NO_DRAWING, points: [from], next: from });
  followPointer(
    down,
    (event) => {
      to = onPicture(at.placeOf(event), at.size);
      tools.onDrawing({ ...NO_DRAWING, points: [from], next: to });
    },
    (isLifted) => {
      const box = boxBetween(from, to);
      if (isLifted && Math.min(box.width, box.height) * at.scale >= SMALLEST) tools.finish(box);
      else tools.onDrawing(NO_DRAWING);
    },
  );
}

/** The eraser selects a mask if none is. */
function brushFrom(down: ReactPointerEvent, from: Place, { mode, tools, shown, at, reach }: With): void {
  if (mode.tool === 'eraser' && editedMask(mode) === null) {
    const masks = shown.filter(({ source, shape }) => source === mode.source && shape?.type === 'mask');
    mode.select(shapeAt(masks, from, reach, at.size)?.key ?? null);
    return;
  }
  const brush = brushIn(at.size, mode.brush);
  let [points, to]: [readonly Place[], Place] = [[from], from];
  tools.onDrawing({ ...NO_DRAWING, points, next: from });
  followPointer(
    down,
    (event) => {
      to = onPicture(at.placeOf(event), at.size);
      points = wayTo(points, to, brush);
      tools.onDrawing({ ...NO_DRAWING, points, next: to });
    },
    (isLifted) => (isLifted ? tools.paint([...points, to]) : tools.onDrawing(NO_DRAWING)),
  );
}
