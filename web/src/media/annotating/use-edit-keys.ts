import { useRef, useState } from 'react';
import { useEvents } from '../../design/events';
import type { Shape, ShownAnnotation } from '../annotations/shapes';
import { takesLetters } from '../key-target';
import { dragged, grown, moved, onPicture, turnedBy, withoutPoint, withVisibility, type Place } from './shape-changes';
import { brushIn, editedMask, isMasking, nextBrush, wayTo } from './masking';
import { boundsIn, REACH, type DrawingTools, type Surface } from './use-drawing';
import type { EditMode, Tool } from './use-edit-mode';
import { NO_DRAWING } from './use-new-shape';

const DIRECTIONS: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** Of the longer side of the picture. */
const FAR = 0.02;
const TURNS: Readonly<Record<string, number>> = { '[': -5, ']': 5 };
const TOOL_KEYS: Readonly<Record<string, Tool>> = {
  ...{ v: 'select', b: 'box', p: 'polygon', k: 'keypoints' },
  ...{ m: 'brush', e: 'eraser', t: 'take' },
};

/** Of the label of a picture or a shape. */
export const LABEL_FIELD = 'label-of-annotation';

interface Keys {
  readonly mode: EditMode;
  readonly tools: DrawingTools;
  readonly surface: () => Surface;
  /** Shapes of the source that is edited, and of others. */
  readonly own: readonly ShownAnnotation[];
  readonly others: readonly ShownAnnotation[];
}

const middleOf = ({ size: { width, height } }: Surface): Place => ({
  x: Math.round(width / 2),
  y: Math.round(height / 2),
});

const isForOthers = (target: EventTarget | null): boolean =>
  takesLetters(target) ||
  (target instanceof HTMLInputElement && target.type === 'range') ||
  document.querySelectorAll('[role=dialog], [role=alertdialog]').length > 1;

/** All of edit mode by keyboard; returns the number of the handle that the arrows move. */
export function useEditKeys(keys: Keys): number | null {
  const { mode, tools } = keys;
  const [active, setActive] = useState<number | null>(null);
  const [of, setOf] = useState(mode.selected?.key);
  const pressed = useRef<Shape | null>(null);
  if (of !== mode.selected?.key) {
    setOf(mode.selected?.key);
    setActive(null);
  }
  const commit = () => {
    if (pressed.current === null) return;
    mode.reshape(pressed.current);
    pressed.current = null;
    tools.onDrawing(NO_DRAWING);
  };
  const reshaped = (shape: Shape) => {
    pressed.current = shape;
    tools.onDrawing({ ...NO_DRAWING, dragging: shape });
  };
  useEvents(
    window,
    {
      keydown: (event) => {
        if (isForOthers(event.target)) return;
        const isUsed =
          byArrow(event, keys, active, reshaped) ||
          byControl(event, mode) ||
          byHotKey(event, mode) ||
          byPoint(event, keys) ||
          byBrush(event, keys) ||
          byHandle(event, keys, active, setActive) ||
          byLetter(event, keys);
        if (!isUsed) return;
        event.preventDefault();
        event.stopPropagation();
      },
      // Arrows that are held are one edit.
      keyup: ({ key }) => key in DIRECTIONS && commit(),
      blur: commit,
    },
    true,
  );
  return active;
}

function byArrow(
  event: KeyboardEvent,
  { mode, tools, surface }: Keys,
  active: number | null,
  reshaped: (shape: Shape) => void,
): boolean {
  const direction = DIRECTIONS[event.key];
  if (direction === undefined || event.ctrlKey || event.metaKey) return false;
  const { size } = surface();
  const step = event.shiftKey ? Math.max(1, Math.round(FAR * Math.max(size.width, size.height))) : 1;
  const by = { x: direction.x * step, y: direction.y * step };
  if (mode.tool !== 'select') {
    const { x, y } = tools.drawing.next ?? middleOf(surface());
    const next = onPicture({ x: x + by.x, y: y + by.y }, size);
    const { points } = tools.drawing;
    const isPainting = isMasking(mode.tool) && points.length > 0;
    tools.onDrawing({
      ...tools.drawing,
      points: isPainting ? wayTo(points, next, brushIn(size, mode.brush)) : points,
      next,
    });
    return true;
  }
  const shape = tools.drawing.dragging ?? mode.selected?.shape ?? null;
  if (shape === null || shape.type === 'mask' || !mode.isOwn) return false;
  const handle = active === null ? undefined : tools.handles[active];
  if (handle !== undefined) reshaped(dragged(shape, handle.handle, { x: handle.x + by.x, y: handle.y + by.y }, size));
  else if (event.altKey && shape.type === 'box') reshaped(grown(shape, by));
  else reshaped(moved(shape, by, boundsIn(shape, size), size));
  return true;
}

function byControl({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent, mode: EditMode): boolean {
  if (!ctrlKey && !metaKey) return false;
  const letter = key.toLowerCase();
  if (letter === 'z' && !shiftKey) mode.undo?.();
  else if (letter === 'y' || letter === 'z') mode.redo?.();
  return letter === 'z' || letter === 'y';
}

/** Space puts a point, or lowers and lifts a brush; Enter ends the shape. */
function byPoint({ key, target, ctrlKey, metaKey, shiftKey }: KeyboardEvent, { mode, tools, surface }: Keys): boolean {
  const isOnControl = target instanceof Element && target.closest('button, a') !== null;
  if ((key !== ' ' && key !== 'Enter') || mode.tool === 'select' || isOnControl || ctrlKey || metaKey) return false;
  const { next } = tools.drawing;
  if (next === null) tools.onDrawing({ ...tools.drawing, next: middleOf(surface()) });
  else if (mode.tool === 'eraser' && editedMask(mode) === null) return true;
  else if (key === 'Enter' && (mode.tool === 'polygon' || mode.tool === 'keypoints')) tools.close(shiftKey);
  else tools.put(next);
  return true;
}

function byBrush({ key, ctrlKey, metaKey }: KeyboardEvent, { mode, surface }: Keys): boolean {
  if (ctrlKey || metaKey || !isMasking(mode.tool) || (key !== '[' && key !== ']')) return false;
  mode.onBrush(nextBrush(brushIn(surface().size, mode.brush), key === ']'));
  return true;
}

function byHandle(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  { mode, tools }: Keys,
  active: number | null,
  setActive: (active: number | null) => void,
): boolean {
  const { handles } = tools;
  const shape = mode.selected?.shape ?? null;
  if (ctrlKey || metaKey || !mode.isOwn || shape === null) return false;
  const handle = active === null ? undefined : handles[active]?.handle;
  if (key === '.' || key === ',') {
    const count = handles.length;
    if (count > 0)
      setActive(active === null ? (key === '.' ? 0 : count - 1) : (active + (key === '.' ? 1 : count - 1)) % count);
  } else if (key === 'Escape' && active !== null) setActive(null);
  else if (TURNS[key] !== undefined && shape.type === 'box') mode.reshape(turnedBy(shape, TURNS[key]));
  else if ((key === 'Delete' || key === 'Backspace') && (handle?.kind === 'point' || handle?.kind === 'keypoint')) {
    const rest = withoutPoint(shape, handle);
    if (rest !== undefined) mode.reshape(rest);
    setActive(null);
  } else if (key.toLowerCase() === 'h' && handle?.kind === 'keypoint' && shape.type === 'keypoints')
    mode.reshape(withVisibility(shape, handle.at));
  else return false;
  return true;
}

function byLetter(event: KeyboardEvent, { mode, tools, own, others, surface }: Keys): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return false;
  const { selected } = mode;
  const letter = key.toLowerCase();
  const tool = TOOL_KEYS[letter];
  if (key === 'Escape') escape(mode, tools);
  else if (tool !== undefined) {
    tools.onDrawing(NO_DRAWING);
    mode.onTool(tool);
  } else if ((key === 'Delete' || key === 'Backspace') && tools.drawing.points.length > 0)
    tools.onDrawing({ ...tools.drawing, points: tools.drawing.points.slice(0, -1) });
  else if ((key === 'Delete' || key === 'Backspace') && selected !== undefined && mode.isOwn) mode.remove(selected);
  else if (letter === 's' && mode.tool === 'keypoints') tools.put({ x: 0, y: 0, isAbsent: true });
  else if (letter === 'c' && selected !== undefined && !mode.isOwn) mode.copy(selected);
  else if (letter === 'c' && tools.pointer.current !== null) tools.take(tools.pointer.current, REACH / surface().scale);
  else if (letter === 'f' && mode.copyToNextFrame !== undefined) mode.copyToNextFrame();
  else if (letter === 'n') select(mode, own, shiftKey);
  else if (letter === 'o') select(mode, others, shiftKey);
  else if (letter === 'l') document.getElementById(LABEL_FIELD)?.focus();
  else return false;
  return true;
}

/** The next one, or the one before. */
function select(mode: EditMode, among: readonly ShownAnnotation[], isBefore: boolean): void {
  const at = among.findIndex(({ key }) => key === mode.selected?.key);
  const next = isBefore ? among.at(at <= 0 ? -1 : at - 1) : among[(at + 1) % among.length];
  if (next !== undefined) mode.select(next.key);
}

function byHotKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, { labelSet, onHotKey }: EditMode): boolean {
  const label = ctrlKey || metaKey || altKey ? undefined : labelSet.find(({ hot_key: hotKey }) => hotKey === key);
  if (label === undefined) return false;
  onHotKey(label.name);
  return true;
}

/** One thing after the other; the last is edit mode. */
function escape(mode: EditMode, tools: DrawingTools): void {
  const { points, next } = tools.drawing;
  // The circle of a brush is always there.
  if (points.length > 0 || (next !== null && !isMasking(mode.tool))) tools.onDrawing(NO_DRAWING);
  else if (mode.waiting !== null) mode.giveUpWaiting();
  else if (mode.tool !== 'select') mode.onTool('select');
  else if (mode.selected !== undefined) mode.select(null);
  else mode.end();
}
