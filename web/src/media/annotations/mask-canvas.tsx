import { useEffect, useRef } from 'react';
import { filledBy, type Shape, type Size } from './shapes';
import styles from './annotations.module.css';

type Mask = Extract<Shape, { type: 'mask' }>;

export interface ColouredMask {
  readonly mask: Mask;
  readonly colour: string;
}

/** Pixels of a side. */
export const MOST_SIDE = 2_048;

/** Masks over the picture; the style makes them translucent, so that those of one source do not add up. */
export function MaskCanvas({
  masks,
  size: { width, height },
  isHighlighted = false,
}: {
  readonly masks: readonly ColouredMask[];
  readonly size: Size;
  readonly isHighlighted?: boolean;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scale = Math.min(1, MOST_SIDE / Math.max(width, height));
  const [across, down] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context) return;
    context.clearRect(0, 0, across, down);
    for (const { mask, colour } of masks) {
      // The browser resolves a token only where it is used.
      element.style.color = colour;
      context.fillStyle = getComputedStyle(element).color;
      fillMask(context, mask);
    }
  }, [masks, across, down]);
  if (masks.length === 0) return null;
  return (
    <canvas
      ref={canvas}
      className={styles.masks}
      data-highlighted={isHighlighted}
      width={across}
      height={down}
      aria-hidden="true"
    />
  );
}

/** To whole pixels, without gaps between rectangles. */
export function fillMask(context: CanvasRenderingContext2D, mask: Mask): void {
  const [scaleX, scaleY] = [context.canvas.width / mask.width, context.canvas.height / mask.height];
  for (const [x, y, width, height] of filledBy(mask)) {
    const [left, top] = [Math.floor(x * scaleX), Math.floor(y * scaleY)];
    const [right, bottom] = [Math.ceil((x + width) * scaleX), Math.ceil((y + height) * scaleY)];
    context.fillRect(left, top, right - left, bottom - top);
  }
}
