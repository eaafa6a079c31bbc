import { useMemo } from 'react';
import { useEvents } from '../../design/events';
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

const isOnPicture = ({ target }: Event): boolean => (target as Element).closest('button') !== null;

/** Dragging, the wheel, two fingers, and clicks. */
export function useMapGestures(surface: HTMLElement | null, scene: MapScene | null, gestures: MapGestures): void {
  const pressed = useMemo(
    () => (surface === null || scene === null ? null : new PressedPointers(surface, scene)),
    [surface, scene],
  );
  const zoom = (event: MouseEvent, by: number, isGliding = false) => {
    if (surface === null || scene === null) return;
    const view = scene.current;
    const next = zoomedAt(view, scene.read().size, pointOn(surface, event), view.scale * by, scene.mostScale);
    if (isGliding) scene.glide(next);
    else scene.show(next);
  };
  useEvents(pressed === null ? null : surface, {
    pointerdown: (event) => pressed?.down(event, gestures),
    pointermove: (event) => pressed?.move(event, gestures),
    pointerup: (event) => pressed?.up(event, gestures),
    pointercancel: (event) => pressed?.up(event, gestures),
    pointerleave: () => gestures.onHover(null),
    wheel: (event) => {
      event.preventDefault();
      const delta = event.deltaY * (event.deltaMode === 1 ? LINE_DELTA : 1) * (event.ctrlKey ? PINCH : 1);
      zoom(event, Math.exp(-delta * WHEEL));
    },
    dblclick: (event) => zoom(event, CLOSER, true),
  });
}

function pointOn(surface: HTMLElement, { clientX, clientY }: MouseEvent): Point {
  const { left, top } = surface.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

/** The pointers that are down. They move the map, draw a line, or click. */
class PressedPointers {
  private readonly points = new Map<number, Point>();
  private from: Point = { x: 0, y: 0 };
  private hasMoved = false;
  private line: Point[] | undefined;

  constructor(
    private readonly surface: HTMLElement,
    private readonly scene: MapScene,
  ) {}

  down(event: PointerEvent, { isDrawing }: MapGestures): void {
    if (event.button !== 0) return;
    const at = pointOn(this.surface, event);
    this.points.set(event.pointerId, at);
    this.line = isDrawing && this.points.size === 1 ? [this.onMap(at)] : undefined;
    if (this.points.size > 1) return;
    [this.from, this.hasMoved] = [at, false];
  }

  move(event: PointerEvent, gestures: MapGestures): void {
    const at = pointOn(this.surface, event);
    const before = this.points.get(event.pointerId);
    if (before === undefined) {
      if (event.pointerType === 'mouse') gestures.onHover(isOnPicture(event) ? null : at);
      return;
    }
    if (!this.hasMoved && Math.hypot(at.x - this.from.x, at.y - this.from.y) < CLICK_PX) return;
    if (!this.hasMoved) this.begin(event, gestures);
    if (this.line !== undefined && Math.hypot(at.x - before.x, at.y - before.y) < LINE_PX) return;
    const past = [...this.points.values()];
    this.points.set(event.pointerId, at);
    if (this.line !== undefined) {
      this.line.push(this.onMap(at));
      gestures.onLine([...this.line], false);
    } else if (this.points.size === 1) this.scene.show(panned(this.scene.current, at.x - before.x, at.y - before.y));
    else this.pinch(past, [...this.points.values()]);
  }

  up(event: PointerEvent, gestures: MapGestures): void {
    if (!this.points.delete(event.pointerId)) return;
    if (this.line !== undefined && this.hasMoved) gestures.onLine([...this.line], true);
    else if (!this.hasMoved && event.type === 'pointerup' && !isOnPicture(event))
      gestures.onClick(pointOn(this.surface, event));
    this.line = undefined;
  }

  private begin(event: PointerEvent, gestures: MapGestures): void {
    this.hasMoved = true;
    // The click that follows is then not for a picture below the pointer.
    this.surface.setPointerCapture(event.pointerId);
    gestures.onHover(null);
  }

  private pinch(past: readonly Point[], now: readonly Point[]): void {
    const view = this.scene.current;
    const [was, is] = [middleOf(past), middleOf(now)];
    const moved = panned(view, is.x - was.x, is.y - was.y);
    const scale = (view.scale * apart(now)) / apart(past);
    this.scene.show(zoomedAt(moved, this.scene.read().size, is, scale, this.scene.mostScale));
  }

  private onMap(point: Point): Point {
    return toMap(this.scene.current, this.scene.read().size, point);
  }
}
