import { useEffect, useMemo, useState } from 'react';
import { texts } from '../../texts';
import { useEvents } from '../../design/events';
import { linesBetween, outlineOf, type Shape, type ShownAnnotation, type Size } from '../annotations/shapes';
import type { PictureAnnotations } from '../annotations/use-annotations';
import type { Zoom } from '../use-zoom';
import { boxBetween, handlesOf, type Place } from './shape-changes';
import { EditedMask } from './edited-mask';
import { Guide } from './guide';
import { brushIn, isMasking, nextBrush } from './masking';
import { useDrawing, type DrawingTools, type Surface } from './use-drawing';
import { useEditKeys } from './use-edit-keys';
import type { EditMode, Tool } from './use-edit-mode';
import type { Drawing } from './use-new-shape';
import styles from './annotating.module.css';

const { annotating: words } = texts;
const CURSOR_OF: Readonly<Record<Tool, string>> = {
  select: 'default',
  box: 'crosshair',
  polygon: 'crosshair',
  keypoints: 'crosshair',
  brush: 'none',
  eraser: 'none',
  take: 'copy',
};

/** Draws and changes shapes on their picture, with pointers and by keyboard. */
export function EditLayer({
  mode,
  annotations,
  zoom,
}: {
  readonly mode: EditMode;
  readonly annotations: PictureAnnotations;
  readonly zoom: Zoom;
}) {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const { size, shown } = annotations;
  const surface = () => surfaceOf(element, size, zoom.scale);
  const drawing = useDrawing(mode, shown, surface, zoom);
  const { own, others } = useShapes(shown, mode.source);
  const active = useEditKeys({ mode, tools: drawing, surface, own, others });
  useBrushWheel(element, mode, size);
  // Keys are for the picture after a tool was chosen.
  useEffect(() => element?.focus(), [element, mode.tool]);
  const { onPointerDown, onPointerMove, onPointerLeave, onDoubleClick } = drawing;
  return (
    <div
      ref={setElement}
      role="group"
      tabIndex={0}
      aria-label={words.surface}
      aria-describedby="editing-hint"
      className={styles.surface}
      style={{ cursor: CURSOR_OF[mode.tool] }}
      onPointerDown={(event) => {
        event.preventDefault();
        element?.focus();
        onPointerDown(event);
      }}
      {...{ onPointerMove, onPointerLeave, onDoubleClick }}
    >
      <p id="editing-hint" className="visually-hidden">
        {words.hints[mode.tool]}
      </p>
      <EditedMask {...{ mode, annotations }} drawing={drawing.drawing} />
      <EditedShapes {...{ mode, annotations, drawing, active }} />
      <Guide mode={mode} drawn={drawing.drawing.points.length} brush={brushIn(size, mode.brush)} />
      <div role="status" className="visually-hidden">
        {mode.selected !== undefined && words.selected(mode.selected.label, mode.selected.source)}
      </div>
    </div>
  );
}

function useShapes(shown: readonly ShownAnnotation[], edited: string) {
  return useMemo(() => {
    const shapes = shown.filter(({ shape }) => shape !== null);
    return {
      own: shapes.filter(({ source }) => source === edited),
      others: shapes.filter(({ source }) => source !== edited),
    };
  }, [shown, edited]);
}

/** Without Alt, the wheel zooms. */
function useBrushWheel(element: HTMLElement | null, { tool, brush, onBrush }: EditMode, size: Size): void {
  useEvents(element, {
    wheel: (event) => {
      if (!event.altKey || !isMasking(tool)) return;
      event.preventDefault();
      event.stopPropagation();
      onBrush(nextBrush(brushIn(size, brush), event.deltaX + event.deltaY < 0));
    },
  });
}

/** The middle of an element stays where it is, however it is rotated. */
function surfaceOf(element: HTMLDivElement | null, size: Size, zoom: number): Surface {
  const scale = element === null ? 1 : (element.offsetWidth * zoom) / size.width;
  const placeOf: Surface['placeOf'] = ({ clientX, clientY }) => {
    if (element === null) return { x: 0, y: 0 };
    const { left, top, width, height } = element.getBoundingClientRect();
    const turn = Number(getComputedStyle(element).getPropertyValue('--turn')) || 0;
    const [dx, dy] = [clientX - left - width / 2, clientY - top - height / 2];
    const angle = (-turn * Math.PI) / 180;
    return {
      x: (dx * Math.cos(angle) - dy * Math.sin(angle)) / scale + size.width / 2,
      y: (dx * Math.sin(angle) + dy * Math.cos(angle)) / scale + size.height / 2,
    };
  };
  return { size, scale, placeOf };
}

interface EditedProps {
  readonly mode: EditMode;
  readonly annotations: PictureAnnotations;
  readonly drawing: DrawingTools;
  readonly active: number | null;
}

function EditedShapes(props: EditedProps) {
  const { mode, annotations, drawing } = props;
  const { size } = annotations;
  return (
    <svg
      className={styles.shapes}
      viewBox={`0 0 ${size.width} ${size.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <Selected {...props} />
      <NewShape drawing={drawing.drawing} mode={mode} size={size} />
    </svg>
  );
}

/** Above the other shapes, with its handles if it can be changed. */
function Selected({
  mode: { selected, isOwn },
  annotations: { colourOf, edgesOf },
  drawing: { drawing, handles },
  active,
}: EditedProps) {
  const shape = drawing.dragging ?? selected?.shape ?? null;
  if (selected === undefined || shape === null) return null;
  return (
    <g style={{ color: colourOf(selected) }} data-own={isOwn} data-selected={selected.id}>
      <Outline path={pathOf(shape, edgesOf(selected))} />
      <path className={styles.handleEdge} d={dots(handles)} />
      <path className={styles.handle} d={dots(handles)} />
      {active !== null && <path className={styles.active} d={dots(handles.slice(active, active + 1))} />}
    </g>
  );
}

const dots = (places: readonly Place[]): string => places.map(({ x, y }) => `M${x} ${y}h0`).join('');

const pathOf = (shape: Shape, edges: readonly (readonly number[])[]): string =>
  shape.type === 'keypoints' ? linesBetween(shape.points, edges) : outlineOf(shape);

function Outline({ path }: { readonly path: string }) {
  return (
    <>
      <path className={styles.edge} d={path} />
      <path className={styles.outline} d={path} />
    </>
  );
}

/** What is being drawn, and the lines through where the keyboard would put the next point. */
function NewShape({
  drawing: { points, next },
  mode: { tool, waiting, brush },
  size,
}: {
  readonly drawing: Drawing;
  readonly mode: EditMode;
  readonly size: Size;
}) {
  if (isMasking(tool)) return next !== null && <Brush at={next} diameter={brushIn(size, brush)} />;
  const { width, height } = size;
  const drawn = points.filter(({ isAbsent }) => !isAbsent);
  const line = [...points, ...(next === null ? [] : [next])];
  const path =
    tool === 'box' && line.length === 2
      ? outlineOf(boxBetween(line[0]!, line[1]!))
      : line.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  return (
    <g className={styles.drawn}>
      {waiting !== null && <Outline path={outlineOf(waiting)} />}
      {waiting?.type === 'keypoints' && <path className={styles.handle} d={dots(handlesOf(waiting, 0))} />}
      {points.length > 0 && tool !== 'keypoints' && <Outline path={path} />}
      {tool !== 'box' && <path className={styles.handle} d={dots(drawn)} />}
      {next !== null && tool !== 'select' && (
        <path className={styles.cursor} d={`M${next.x} 0V${height}M0 ${next.y}H${width}`} />
      )}
    </g>
  );
}

/** Dark and light, so that it is seen on any picture. */
function Brush({ at: { x, y }, diameter }: { readonly at: Place; readonly diameter: number }) {
  const radius = diameter / 2;
  const circle = `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${diameter} 0a${radius} ${radius} 0 1 0 ${-diameter} 0`;
  return (
    <g className={styles.brush}>
      <path className={styles.edge} d={circle} />
      <path d={circle} />
    </g>
  );
}
