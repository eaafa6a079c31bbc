import { toast } from '../../design/toast';
import { texts } from '../../texts';
import { maskOf, type Spans } from '../annotations/mask-rectangles';
import type { Shape, Size } from '../annotations/shapes';
import { painted, spansIn, withoutSpans, withSpans } from './mask-spans';
import type { Place } from './shape-changes';
import type { EditMode, Tool } from './use-edit-mode';

export type MaskShape = Extract<Shape, { type: 'mask' }>;

const { annotating: words } = texts;

/** Pixels of the picture. A smaller one could miss the middle of each. */
export const LEAST_BRUSH = 2;
/** Of the longer side of the picture. */
const MOST_BRUSH = 0.25;
const FIRST_BRUSH = 0.03;
const BRUSH_STEP = 1.2;
/** Of the radius; what is nearer to the place before it changes nothing that is seen. */
const NEAR = 0.1;

export const isMasking = (tool: Tool): boolean => tool === 'brush' || tool === 'eraser';

export const mostBrush = ({ width, height }: Size): number =>
  Math.max(LEAST_BRUSH, Math.round(MOST_BRUSH * Math.max(width, height)));

/** The diameter of the brush in pixels of the picture. */
export const brushIn = (size: Size, chosen: number | null): number =>
  Math.max(
    LEAST_BRUSH,
    Math.min(mostBrush(size), chosen ?? Math.round(FIRST_BRUSH * Math.max(size.width, size.height))),
  );

/** One step larger or smaller. */
export function nextBrush(brush: number, isLarger: boolean): number {
  return isLarger
    ? Math.max(brush + 1, Math.round(brush * BRUSH_STEP))
    : Math.min(brush - 1, Math.round(brush / BRUSH_STEP));
}

/** The mask that brush, eraser and polygon change; null if they begin another one. */
export function editedMask({
  waiting,
  selected,
  isOwn,
}: Pick<EditMode, 'waiting' | 'selected' | 'isOwn'>): MaskShape | null {
  const shape = waiting ?? (isOwn ? (selected?.shape ?? null) : null);
  return shape?.type === 'mask' ? shape : null;
}

/** The way of a brush to one more place. */
export function wayTo(points: readonly Place[], to: Place, brush: number): readonly Place[] {
  const last = points.at(-1);
  return last !== undefined && Math.hypot(to.x - last.x, to.y - last.y) < (NEAR * brush) / 2 ? points : [...points, to];
}

/** Saves a way of the brush or the eraser. */
export function stroke(mode: EditMode, points: readonly Place[], size: Size): void {
  change(mode, painted(points, brushIn(size, mode.brush) / 2, size), mode.tool === 'brush', size);
}

/** Adds pixels to the mask, or takes them from it; a mask without any is removed. */
export function change(mode: EditMode, spans: Spans, isAdded: boolean, size: Size): void {
  const before = editedMask(mode);
  const stored = before === null ? [] : spansIn(before, size);
  const after = isAdded ? withSpans(stored, spans) : withoutSpans(stored, spans);
  if (after.length === 0) {
    if (before !== null && mode.waiting !== null) mode.giveUpWaiting();
    else if (before !== null && mode.selected !== undefined) mode.remove(mode.selected);
    return;
  }
  const mask = maskOf(after, size);
  if (mask === undefined) toast({ text: words.maskTooLarge, isFailure: true });
  else if (mask.counts !== before?.counts) {
    if (before === null || mode.waiting !== null) mode.draw({ type: 'mask', ...mask });
    else mode.reshape({ type: 'mask', ...mask });
  }
}
