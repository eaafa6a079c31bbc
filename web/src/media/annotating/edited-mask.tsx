import { useLayoutEffect, useRef } from 'react';
import { fillMask, MOST_SIDE } from '../annotations/mask-canvas';
import type { PictureAnnotations } from '../annotations/use-annotations';
import { brushIn, isMasking, type MaskShape } from './masking';
import type { EditMode } from './use-edit-mode';
import type { Drawing } from './use-new-shape';
import styles from './annotating.module.css';

interface Edited {
  readonly mask: MaskShape | null;
  readonly colour: string;
  readonly isErased: boolean;
  readonly brush: number;
  readonly scale: number;
}

interface Drawn {
  readonly of: Edited;
  /** Of the way of the brush. */
  readonly points: number;
}

/** The mask that is selected or has no label yet, and the way of the brush, of which only what is new is drawn. */
export function EditedMask({
  mode,
  annotations: { size, colourOf },
  drawing: { points },
}: {
  readonly mode: EditMode;
  readonly annotations: PictureAnnotations;
  readonly drawing: Drawing;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn | null>(null);
  const scale = Math.min(1, MOST_SIDE / Math.max(size.width, size.height));
  const { tool, selected, waiting } = mode;
  const shape = waiting ?? selected?.shape ?? null;
  const mask = shape?.type === 'mask' ? shape : null;
  const colour = waiting === null && selected !== undefined && mask !== null ? colourOf(selected) : '#ffffff';
  const way = isMasking(tool) ? points : [];
  const brush = brushIn(size, mode.brush);
  const isShown = mask !== null || way.length > 0;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) {
      drawn.current = null;
      return;
    }
    const of: Edited = { mask, colour, isErased: tool === 'eraser', brush, scale };
    const before = drawn.current;
    const continues = before !== null && (isSaved(before, of, way.length) || goesOn(before, of, way.length));
    if (!continues) drawMask(context, of);
    drawWay(context, way.slice(Math.max(0, (continues ? before.points : 0) - 1)), of);
    drawn.current = { of, points: way.length };
  });
  return (
    isShown && (
      <canvas
        ref={canvas}
        className={styles.mask}
        width={Math.ceil(size.width * scale)}
        height={Math.ceil(size.height * scale)}
        aria-hidden="true"
      />
    )
  );
}

const isOfSameStyle = (one: Edited, other: Edited): boolean => one.colour === other.colour && one.scale === other.scale;
const isOfSameBrush = (one: Edited, other: Edited): boolean =>
  one.isErased === other.isErased && one.brush === other.brush;

const goesOn = (before: Drawn, of: Edited, points: number): boolean =>
  before.points <= points &&
  before.of.mask === of.mask &&
  isOfSameStyle(before.of, of) &&
  (before.points === 0 || isOfSameBrush(before.of, of));

/** The mask has become what is drawn: a large one takes longer than a frame to draw. */
const isSaved = (before: Drawn, of: Edited, points: number): boolean =>
  before.points > 0 && points === 0 && before.of.mask !== of.mask && isOfSameStyle(before.of, of);

function drawMask(context: CanvasRenderingContext2D, { mask, colour }: Edited): void {
  const { canvas } = context;
  context.globalCompositeOperation = 'source-over';
  context.clearRect(0, 0, canvas.width, canvas.height);
  // The browser resolves a token only where it is used.
  canvas.style.color = colour;
  context.fillStyle = context.strokeStyle = getComputedStyle(canvas).color;
  if (mask !== null) fillMask(context, mask);
}

function drawWay(context: CanvasRenderingContext2D, way: Drawing['points'], of: Edited): void {
  const { isErased, brush, scale } = of;
  const [first] = way;
  if (first === undefined) return;
  context.globalCompositeOperation = isErased ? 'destination-out' : 'source-over';
  context.lineWidth = brush * scale;
  context.lineCap = context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(first.x * scale, first.y * scale);
  // A line without length is a dot.
  for (const { x, y } of [first, ...way.slice(1)]) context.lineTo(x * scale, y * scale);
  context.stroke();
}
