import { useState, type PointerEvent as ReactPointerEvent } from 'react';
import { followPointer } from '../../design/events';
import { boundsOf, type Shape, type ShownAnnotation, type Size } from '../annotations/shapes';
import type { Zoom } from '../use-zoom';
import {
  boxBetween,
  dragged,
  handlesOf,
  keypointsOf,
  LEAST_POINTS,
  moved,
  onPicture,
  polygonOf,
  withPoint,
  type DrawnPoint,
  type Place,
  type PlacedHandle,
} from './shape-changes';
import { edgeAt, handleAt, shapeAt } from './shape-finding';
import type { EditMode } from './use-edit-mode';

/** Pixels of the screen. */
const REACH = 8;
const REACH_OF_FINGERS = 16;
const SMALLEST = 3;
const GAP = 22;

export interface Drawing {
  /** The selected shape while it is dragged. */
  readonly dragging: Shape | null;
  /** The points of a new shape, and where the next one would be. */
  readonly points: readonly DrawnPoint[];
  readonly next: Place | null;
}

export const NO_DRAWING: Drawing = { dragging: null, points: [], next: null };

export interface Surface {
  readonly size: Size;
  /** Pixels of the screen for one of the picture. */
  readonly scale: number;
  readonly placeOf: (event: { readonly clientX: number; readonly clientY: number }) => Place;
}

export interface DrawingTools {
  readonly drawing: Drawing;
  readonly onDrawing: (drawing: Drawing) => void;
  readonly handles: readonly PlacedHandle[];
  /** A point of the new shape; the second one of a box ends it. */
  readonly put: (place: DrawnPoint) => void;
  /** Ends a polygon or keypoints. */
  readonly close: () => void;
  readonly onPointerDown: (event: ReactPointerEvent) => void;
  readonly onPointerMove: (event: ReactPointerEvent) => void;
  readonly onDoubleClick: (event: { readonly clientX: number; readonly clientY: number }) => void;
}

export const boundsIn = (shape: Shape, size: Size) => boundsOf(shape, size) ?? { left: 0, top: 0, right: 0, bottom: 0 };

/** A shape that is drawn point by point. */
function useNewShape(mode: EditMode) {
  const [drawing, onDrawing] = useState(NO_DRAWING);
  const count = mode.skeleton?.points.length ?? 0;
  const finish = (of: Shape) => {
    onDrawing(NO_DRAWING);
    mode.draw(of);
  };
  const close = () => {
    const { points } = drawing;
    if (mode.tool === 'polygon' && points.length >= LEAST_POINTS) finish(polygonOf(points));
    if (mode.tool === 'keypoints' && points.some(({ isAbsent }) => !isAbsent)) finish(keypointsOf(points, count));
  };
  const put = (place: DrawnPoint) => {
    const [first] = drawing.points;
    const points = [...drawing.points, place];
    if (mode.tool === 'box' && first !== undefined) {
      const box = boxBetween(first, place);
      if (box.width > 0 && box.height > 0) finish(box);
    } else if (mode.tool === 'keypoints' && points.length === count && points.some(({ isAbsent }) => !isAbsent))
      finish(keypointsOf(points, count));
    else onDrawing({ ...drawing, points, next: place.isAbsent ? drawing.next : place });
  };
  return { drawing, onDrawing, put, close, finish };
}

/** Draws new shapes, and selects and drags those that are there. */
export function useDrawing(
  mode: EditMode,
  shown: readonly ShownAnnotation[],
  surface: () => Surface,
  zoom: Zoom,
): DrawingTools {
  const tools = useNewShape(mode);
  const { drawing, onDrawing } = tools;
  const shape = drawing.dragging ?? mode.selected?.shape ?? null;
  const handlesAt = (scale: number) => (mode.isOwn && shape !== null ? handlesOf(shape, GAP / scale) : []);
  return {
    ...tools,
    handles: handlesAt(surface().scale),
    onPointerDown: (event) => {
      const at = surface();
      const reach = (event.pointerType === 'mouse' ? REACH : REACH_OF_FINGERS) / at.scale;
      if (event.button !== 0) zoom.onPointerDown(event);
      else if (mode.tool === 'select')
        grab(event, { mode, shown, zoom, onDrawing, at, reach, handles: handlesAt(at.scale) });
      else drawWith(mode, event, tools, at, reach);
    },
    onPointerMove: (event) => {
      if (drawing.points.length > 0)
        onDrawing({ ...drawing, next: onPicture(surface().placeOf(event), surface().size) });
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
  readonly shown: readonly ShownAnnotation[];
  readonly zoom: Zoom;
  readonly onDrawing: (drawing: Drawing) => void;
  readonly at: Surface;
  readonly reach: number;
  readonly handles: readonly PlacedHandle[];
}

/** A handle, otherwise a shape, otherwise the picture. */
function grab(down: ReactPointerEvent, { mode, shown, zoom, onDrawing, at, reach, handles }: Grab): void {
  const from = at.placeOf(down);
  const { selected } = mode;
  const handle = handleAt(handles, from, reach);
  if (selected?.shape && handle !== undefined) {
    const { shape } = selected;
    drag(down, at, onDrawing, mode.reshape, (to, event) => dragged(shape, handle.handle, to, at.size, event.shiftKey));
    return;
  }
  const found = shapeAt(shown, from, reach, at.size);
  mode.select(found?.key ?? null);
  if (found === undefined) zoom.onPointerDown(down);
  // One that was not selected is not moved by accident.
  if (found === undefined || found.shape === null || found.key !== selected?.key || !mode.isOwn) return;
  const { shape } = found;
  const bounds = boundsIn(shape, at.size);
  drag(down, at, onDrawing, mode.reshape, (to) =>
    moved(shape, { x: to.x - from.x, y: to.y - from.y }, bounds, at.size),
  );
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
    (event) => {
      if (last === null && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SMALLEST) return;
      last = shapeFor(at.placeOf(event), event);
      onDrawing({ ...NO_DRAWING, dragging: last });
    },
    () => {
      onDrawing(NO_DRAWING);
      if (last !== null) reshape(last);
    },
  );
}

/** A box is drawn by dragging; a polygon by clicks, up to one on its first point, and keypoints by a click each. */
function drawWith(
  mode: EditMode,
  down: ReactPointerEvent,
  tools: Pick<DrawingTools, 'drawing' | 'onDrawing' | 'put' | 'close'> & { readonly finish: (shape: Shape) => void },
  at: Surface,
  reach: number,
): void {
  const from = onPicture(at.placeOf(down), at.size);
  if (mode.tool === 'keypoints') {
    tools.put(from);
    return;
  }
  if (mode.tool === 'polygon') {
    const [first] = tools.drawing.points;
    const isClosed = first !== undefined && Math.hypot(first.x - from.x, first.y - from.y) <= reach;
    if (isClosed && tools.drawing.points.length >= LEAST_POINTS) tools.close();
    else tools.put(from);
    return;
  }
  let to = from;
  tools.onDrawing({ ...NO_DRAWING, points: [from], next: from });
  followPointer(
    (event) => {
      to = onPicture(at.placeOf(event), at.size);
      tools.onDrawing({ ...NO_DRAWING, points: [from], next: to });
    },
    () => {
      const box = boxBetween(from, to);
      if (Math.min(box.width, box.height) * at.scale >= SMALLEST) tools.finish(box);
      else tools.onDrawing(NO_DRAWING);
    },
  );
}
