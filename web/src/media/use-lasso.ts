import { useCallback, useRef, useState, type PointerEvent as ReactPointerEvent, type RefObject } from 'react';
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

/**
 * A rectangle that selects the tiles it touches: drawn from between the tiles, or from anywhere with Alt held. Not by touch, which scrolls.
 * The rectangle is undefined while none is drawn.
 */
export function useLasso(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  cells: Cells,
  lasso: Lasso | undefined,
): readonly [Rectangle | undefined, (event: ReactPointerEvent) => void] {
  const [rectangle, setRectangle] = useState<Rectangle>();
  const latest = useRef(cells);
  latest.current = cells;
  const begin = useCallback(
    (down: ReactPointerEvent) => {
      if (lasso === undefined) return;
      const [element, inner] = [scroller.current!, content.current!];
      const isBetweenTiles = (down.target as Element).closest('[role=gridcell], button, nav, section') === null;
      const isOnScrollbar = down.clientX - element.getBoundingClientRect().left > element.clientWidth;
      if (down.pointerType === 'touch' || down.button !== 0 || isOnScrollbar || !(isBetweenTiles || down.altKey))
        return;
      const pointOf = ({ clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>): Point => {
        const { left, top } = inner.getBoundingClientRect();
        return { x: clientX - left, y: clientY - top };
      };
      const from = pointOf(down);
      let at: Pick<PointerEvent, 'clientX' | 'clientY'> = down;
      let isDrawn = false;
      let frame = 0;
      const draw = () => {
        const drawn = around(from, pointOf(at));
        setRectangle(drawn);
        lasso.around(cellsIn(drawn, latest.current));
      };
      const scroll = () => {
        const pull = pullOf(at.clientY, element.getBoundingClientRect());
        if (pull !== 0) {
          element.scrollTop += pull;
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
          // The click that follows is then not for the tile below the pointer.
          element.setPointerCapture(down.pointerId);
          lasso.begin(down.shiftKey || down.ctrlKey || down.metaKey);
          frame = requestAnimationFrame(scroll);
        }
        draw();
      };
      const end = () => {
        cancelAnimationFrame(frame);
        window.removeEventListener('pointermove', move);
        window.removeEventListener('pointerup', end);
        window.removeEventListener('pointercancel', end);
        setRectangle(undefined);
      };
      window.addEventListener('pointermove', move);
      window.addEventListener('pointerup', end);
      window.addEventListener('pointercancel', end);
      // Dragging would select text.
      down.preventDefault();
    },
    [scroller, content, lasso],
  );
  return [rectangle, begin];
}
