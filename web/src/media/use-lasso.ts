import { useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';
import { followPointer } from '../design/events';
import { cellsIn, type Cells, type Rectangle } from './grid-geometry';
import type { Lasso } from './selection';

const LEAST_PX = 5;
const EDGE_PX = 40;
const FASTEST_PX = 24;

interface Point {
  readonly x: number;
  readonly y: number;
}

const around = (a: Point, b: Point): Rectangle => ({
  left: Math.min(a.x, b.x),
  top: Math.min(a.y, b.y),
  right: Math.max(a.x, b.x),
  bottom: Math.max(a.y, b.y),
});

/** How far to scroll in the next frame when the pointer is at this height. */
function pullOf(y: number, { top, bottom }: DOMRect): number {
  const beyond = y < top + EDGE_PX ? y - top - EDGE_PX : y > bottom - EDGE_PX ? y - bottom + EDGE_PX : 0;
  return Math.max(-FASTEST_PX, Math.min(FASTEST_PX, beyond / 3));
}

/** Whether a rectangle begins where the pointer goes down: not by touch, which scrolls. */
function beginsLasso(down: ReactPointerEvent, scroller: HTMLElement): boolean {
  const isBetweenTiles = (down.target as Element).closest('[role=gridcell], button, nav, section') === null;
  const isOnScrollbar = down.clientX - scroller.getBoundingClientRect().left > scroller.clientWidth;
  return down.pointerType !== 'touch' && down.button === 0 && !isOnScrollbar && (isBetweenTiles || down.altKey);
}

interface Drawing {
  readonly scroller: HTMLElement;
  readonly content: HTMLElement;
  /** When the rectangle begins to be drawn. */
  readonly onBegin: () => void;
  /** Undefined when the pointer is lifted. */
  readonly onDraw: (rectangle: Rectangle | undefined) => void;
}

/** Draws a rectangle from where the pointer went down until it is lifted, and scrolls at the edges. */
function drawRectangle(down: ReactPointerEvent, { scroller, content, onBegin, onDraw }: Drawing): void {
  const pointOf = ({ clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>): Point => {
    const { left, top } = content.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const from = pointOf(down);
  let at: Pick<PointerEvent, 'clientX' | 'clientY'> = down;
  let isDrawn = false;
  let frame = 0;
  const draw = () => onDraw(around(from, pointOf(at)));
  const scroll = () => {
    const pull = pullOf(at.clientY, scroller.getBoundingClientRect());
    if (pull !== 0) {
      scroller.scrollTop += pull;
      draw();
    }
    frame = requestAnimationFrame(scroll);
  };
  const move = (event: PointerEvent) => {
    at = event;
    const { x, y } = pointOf(event);
    if (!isDrawn && Math.hypot(x - from.x, y - from.y) < LEAST_PX) return;
    if (!isDrawn) {
      isDrawn = true;
      onBegin();
      frame = requestAnimationFrame(scroll);
    }
    draw();
  };
  followPointer(down, move, () => {
    cancelAnimationFrame(frame);
    onDraw(undefined);
  });
}

/** A rectangle that selects the tiles it touches: drawn from between the tiles, or from anywhere with Alt held. Undefined while none is drawn. */
export function useLasso(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  cells: Cells,
  lasso: Lasso,
): readonly [Rectangle | undefined, (event: ReactPointerEvent) => void] {
  const [rectangle, setRectangle] = useState<Rectangle>();
  const latest = useRef(cells);
  latest.current = cells;
  const begin = (down: ReactPointerEvent) => {
    const [element, inner] = [scroller.current!, content.current!];
    if (!beginsLasso(down, element)) return;
    drawRectangle(down, {
      scroller: element,
      content: inner,
      onBegin: () => {
        // The click that follows is then not for the tile below the pointer.
        element.setPointerCapture(down.pointerId);
        lasso.begin(down.shiftKey || down.ctrlKey || down.metaKey);
      },
      onDraw: (drawn) => {
        setRectangle(drawn);
        if (drawn !== undefined) lasso.around(cellsIn(drawn, latest.current));
      },
    });
    // Dragging would select text.
    down.preventDefault();
  };
  return [rectangle, begin];
}
