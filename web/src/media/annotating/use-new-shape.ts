import { useRef, useState } from 'react';
import type { Shape, ShownAnnotation, Size } from '../annotations/shapes';
import { change, editedMask, isMasking, stroke } from './masking';
import { inside } from './mask-spans';
import { boxBetween, keypointsOf, LEAST_POINTS, polygonOf, type DrawnPoint, type Place } from './shape-changes';
import { shapeAt } from './shape-finding';
import type { EditMode } from './use-edit-mode';

export interface Drawing {
  /** The selected shape while it is dragged. */
  readonly dragging: Shape | null;
  /** The points of a new shape or the way of a brush, and where the next one would be. */
  readonly points: readonly DrawnPoint[];
  readonly next: Place | null;
}

export const NO_DRAWING: Drawing = { dragging: null, points: [], next: null };

export interface NewShape {
  readonly drawing: Drawing;
  readonly onDrawing: (drawing: Drawing) => void;
  /** A point of the new shape; the second one of a box ends it, as that of a brush does. */
  readonly put: (place: DrawnPoint) => void;
  /** Ends a polygon or keypoints; a polygon is added to a mask that is selected, or taken from it. */
  readonly close: (isTaken: boolean) => void;
  readonly finish: (shape: Shape) => void;
  /** Ends the way of a brush. */
  readonly paint: (points: readonly Place[]) => void;
  /** Copies the shape of another source at a place. */
  readonly take: (place: Place, reach: number) => void;
}

/** A shape that is drawn point by point. */
export function useNewShape(mode: EditMode, shown: readonly ShownAnnotation[], size: Size): NewShape {
  const [drawing, onDrawing] = useState(NO_DRAWING);
  const [tool, setTool] = useState(mode.tool);
  if (tool !== mode.tool) {
    setTool(mode.tool);
    onDrawing(NO_DRAWING);
  }
  const latest = useRef(mode);
  latest.current = mode;
  const count = mode.skeleton?.points.length ?? 0;
  const finish = (of: Shape) => {
    onDrawing(NO_DRAWING);
    mode.draw(of);
  };
  const close = (isTaken: boolean) => {
    const { points } = drawing;
    if (mode.tool === 'keypoints' && points.some(({ isAbsent }) => !isAbsent)) finish(keypointsOf(points, count));
    if (mode.tool !== 'polygon' || points.length < LEAST_POINTS) return;
    const polygon = polygonOf(points);
    if (editedMask(mode) === null) finish(polygon);
    else {
      onDrawing(NO_DRAWING);
      change(mode, inside(polygon.rings, size), !isTaken, size);
    }
  };
  const paint = (points: readonly Place[]) => {
    onDrawing({ ...NO_DRAWING, next: points.at(-1) ?? null });
    // A mask may have been saved since the brush was lowered.
    stroke(latest.current, points, size);
  };
  const take = (place: Place, reach: number) => {
    const others = shown.filter(({ source }) => source !== mode.source);
    const found = shapeAt(others, place, reach, size);
    if (found !== undefined) mode.copy(found);
  };
  const put = (place: DrawnPoint) => {
    const [first] = drawing.points;
    const points = [...drawing.points, place];
    if (mode.tool === 'take') take(place, 0);
    else if (isMasking(mode.tool) && first !== undefined) paint(points);
    else if (mode.tool === 'box' && first !== undefined) {
      const box = boxBetween(first, place);
      if (box.width > 0 && box.height > 0) finish(box);
    } else if (mode.tool === 'keypoints' && points.length === count && points.some(({ isAbsent }) => !isAbsent))
      finish(keypointsOf(points, count));
    else onDrawing({ ...drawing, points, next: place.isAbsent ? drawing.next : place });
  };
  return { drawing, onDrawing, put, close, finish, paint, take };
}
