import { useEffect, useRef } from 'react';
import type { MapScene } from './map-scene';
import { panned, toMap, zoomedAt, type Point } from './viewport';

const CLICK_PX = 4;
const LINE_PX = 2;
const WHEEL = 0.0022;
/** Of a wheel that counts lines, or of two fingers on a trackpad. */
const LINE_DELTA = 16;
const PINCH = 4;
const CLOSER = 2;

export interface MapGestures {
  /** Whether dragging draws, instead of moving the map. */
  readonly isDrawing: boolean;
  /** In places of the map; is done when the pointer is lifted. */
  readonly onLine: (line: readonly Point[], isDone: boolean) => void;
  readonly onClick: (at: Point) => void;
  /** Null when the pointer has left, or moves the map. */
  readonly onHover: (at: Point | null) => void;
}

const middleOf = ([one, other]: readonly Point[]): Point => ({
  x: (one!.x + other!.x) / 2,
  y: (one!.y + other!.y) / 2,
});
const apart = ([one, other]: readonly Point[]): number => Math.max(1, Math.hypot(one!.x - other!.x, one!.y - other!.y));

/** Dragging, the wheel, two fingers, and clicks. */
export function useMapGestures(surface: HTMLElement | null, scene: MapScene | null, gestures: MapGestures): void {
  const latest = useRef(gestures);
  useEffect(() => {
    latest.current = gestures;
  }, [gestures]);
  useEffect(() => {
    if (surface === null || scene === null) return;
    const pointers = new Map<number, Point>();
    let from: Point = { x: 0, y: 0 };
    let hasMoved = false;
    let line: Point[] | undefined;
    const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
      const { left, top } = surface.getBoundingClientRect();
      return { x: clientX - left, y: clientY - top };
    };
    const place = (point: Point): Point => toMap(scene.current, scene.read().size, point);

    const onDown = (event: PointerEvent) => {
      if (event.button !== 0) return;
      const at = pointOf(event);
      pointers.set(event.pointerId, at);
      line = latest.current.isDrawing && pointers.size === 1 ? [place(at)] : undefined;
      if (pointers.size > 1) return;
      [from, hasMoved] = [at, false];
    };
    const begin = (event: PointerEvent) => {
      hasMoved = true;
      // The click that follows is then not for a picture below the pointer.
      surface.setPointerCapture(event.pointerId);
      latest.current.onHover(null);
    };
    const onMove = (event: PointerEvent) => {
      const at = pointOf(event);
      const before = pointers.get(event.pointerId);
      if (before === undefined) {
        const isOnPicture = (event.target as Element).closest('button') !== null;
        if (event.pointerType === 'mouse') latest.current.onHover(isOnPicture ? null : at);
        return;
      }
      const past = [...pointers.values()];
      if (!hasMoved && Math.hypot(at.x - from.x, at.y - from.y) < CLICK_PX) return;
      if (!hasMoved) begin(event);
      if (line !== undefined && Math.hypot(at.x - before.x, at.y - before.y) < LINE_PX) return;
      pointers.set(event.pointerId, at);
      const view = scene.current;
      const { size } = scene.read();
      if (line !== undefined) {
        line.push(place(at));
        latest.current.onLine([...line], false);
      } else if (pointers.size === 1) scene.show(panned(view, at.x - before.x, at.y - before.y));
      else {
        const now = [...pointers.values()];
        const [was, is] = [middleOf(past), middleOf(now)];
        const moved = panned(view, is.x - was.x, is.y - was.y);
        scene.show(zoomedAt(moved, size, is, (view.scale * apart(now)) / apart(past), scene.mostScale));
      }
    };
    const onUp = (event: PointerEvent) => {
      if (!pointers.delete(event.pointerId)) return;
      if (line !== undefined && hasMoved) latest.current.onLine([...line], true);
      else if (!hasMoved && event.type === 'pointerup' && (event.target as Element).closest('button') === null)
        latest.current.onClick(pointOf(event));
      line = undefined;
    };
    const onLeave = () => latest.current.onHover(null);
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const view = scene.current;
      const { size } = scene.read();
      const delta = event.deltaY * (event.deltaMode === 1 ? LINE_DELTA : 1) * (event.ctrlKey ? PINCH : 1);
      scene.show(zoomedAt(view, size, pointOf(event), view.scale * Math.exp(-delta * WHEEL), scene.mostScale));
    };
    const onDoubleClick = (event: MouseEvent) => {
      const view = scene.current;
      const { size } = scene.read();
      scene.glide(zoomedAt(view, size, pointOf(event), view.scale * CLOSER, scene.mostScale));
    };
    surface.addEventListener('pointerdown', onDown);
    surface.addEventListener('pointermove', onMove);
    surface.addEventListener('pointerup', onUp);
    surface.addEventListener('pointercancel', onUp);
    surface.addEventListener('pointerleave', onLeave);
    // React listens to wheels passively, which may not keep the page from scrolling.
    surface.addEventListener('wheel', onWheel, { passive: false });
    surface.addEventListener('dblclick', onDoubleClick);
    return () => {
      surface.removeEventListener('pointerdown', onDown);
      surface.removeEventListener('pointermove', onMove);
      surface.removeEventListener('pointerup', onUp);
      surface.removeEventListener('pointercancel', onUp);
      surface.removeEventListener('pointerleave', onLeave);
      surface.removeEventListener('wheel', onWheel);
      surface.removeEventListener('dblclick', onDoubleClick);
    };
  }, [surface, scene]);
}
