import { memo, useMemo, useRef } from 'react';
import { texts } from '../../texts';
import { isDark } from './annotation-view';
import { MaskCanvas, type ColouredMask } from './mask-canvas';
import { boundsOf, linesBetween, outlineOf, pointsOf, type Bounds, type ShownAnnotation, type Size } from './shapes';
import type { PictureAnnotations } from './use-annotations';
import styles from './annotations.module.css';

const { annotations: words } = texts;
/** More would hide the picture; then only the highlighted shape has its label. */
const MOST_LABELS = 40;

interface DrawnAnnotation {
  readonly annotation: ShownAnnotation;
  readonly shape: NonNullable<ShownAnnotation['shape']>;
  readonly bounds: Bounds;
  readonly colour: string;
  readonly edges: ReturnType<PictureAnnotations['edgesOf']>;
  /** Of all sources but the first, so that the labels of two sources are not at the same place. */
  readonly isBelow: boolean;
  readonly outcome: ReturnType<PictureAnnotations['outcomeOf']>;
}

type Style = Pick<PictureAnnotations, 'size' | 'colourOf' | 'edgesOf' | 'outcomeOf'>;

type Drawing = Style & {
  readonly first: string | undefined;
  /** The same object for the same annotation, so that one that is edited is drawn anew alone. */
  readonly known: WeakMap<ShownAnnotation, DrawnAnnotation>;
};

function drawnAs(annotation: ShownAnnotation, drawing: Drawing): DrawnAnnotation | undefined {
  const { shape, source } = annotation;
  const { size, first, known, colourOf, edgesOf, outcomeOf } = drawing;
  const before = known.get(annotation);
  if (before !== undefined) return before;
  const bounds = shape === null ? undefined : boundsOf(shape, size);
  if (shape === null || bounds === undefined) return undefined;
  const style = { colour: colourOf(annotation), edges: edgesOf(annotation), isBelow: source !== first };
  const drawn = { annotation, shape, bounds, outcome: outcomeOf(annotation), ...style };
  known.set(annotation, drawn);
  return drawn;
}

/** Small shapes above large ones, so that the pointer reaches them. */
function drawnOf(annotations: readonly ShownAnnotation[], drawing: Drawing): readonly DrawnAnnotation[] {
  const area = ({ bounds: { left, top, right, bottom } }: DrawnAnnotation): number => (right - left) * (bottom - top);
  return annotations
    .flatMap((annotation) => drawnAs(annotation, drawing) ?? [])
    .sort((one, other) => area(other) - area(one));
}

const masksOf = (drawn: readonly DrawnAnnotation[]): readonly ColouredMask[] =>
  drawn.flatMap(({ shape, colour }) => (shape.type === 'mask' ? [{ mask: shape, colour }] : []));

/** The same list as before if it has the same masks: they are not drawn again when another shape is changed. */
function useMasks(drawn: readonly DrawnAnnotation[]): readonly ColouredMask[] {
  const before = useRef<readonly ColouredMask[]>([]);
  const masks = useMemo(() => masksOf(drawn), [drawn]);
  const isSame =
    masks.length === before.current.length &&
    masks.every(({ mask, colour }, at) => {
      const drawnBefore = before.current[at]!;
      return mask === drawnBefore.mask && colour === drawnBefore.colour;
    });
  if (!isSame) before.current = masks;
  return before.current;
}

const useDrawingOf = ({ size, colourOf, edgesOf, outcomeOf }: Style, first: string | undefined): Drawing =>
  useMemo(
    () => ({ size, first, colourOf, edgesOf, outcomeOf, known: new WeakMap() }),
    [size, first, colourOf, edgesOf, outcomeOf],
  );

/** The shapes of annotations over their picture, and the labels of the shapes. */
export function ShapeLayer({
  of: { shown: all, between, size, sourcesHere, highlight: pointedAt, colourOf, edgesOf, outcomeOf },
  isVideo = false,
  isEdited = false,
}: {
  readonly of: PictureAnnotations;
  /** Leaves the pointer to the player. */
  readonly isVideo?: boolean;
  /** What is selected is drawn above this layer. */
  readonly isEdited?: boolean;
}) {
  const highlighted = isEdited ? null : (pointedAt.passing ?? pointedAt.kept);
  const elsewhere = isEdited ? pointedAt.kept : null;
  const shown = useMemo(
    () => (elsewhere === null ? all : all.filter(({ key }) => key !== elsewhere)),
    [all, elsewhere],
  );
  const drawing = useDrawingOf({ size, colourOf, edgesOf, outcomeOf }, sourcesHere[0]);
  const drawn = useMemo(() => drawnOf(shown, drawing), [shown, drawing]);
  const drawnBetween = useMemo(() => drawnOf(between, drawing), [between, drawing]);
  const masks = useMasks(drawn);
  const marked = useMemo(() => drawn.filter(({ annotation: { key } }) => key === highlighted), [drawn, highlighted]);
  const markedMasks = useMasks(marked);
  return (
    <div className={styles.layer} data-dimmed={marked.length > 0} data-video={isVideo}>
      <MaskCanvas masks={masks} size={size} />
      <MaskCanvas masks={markedMasks} size={size} isHighlighted />
      <svg
        className={styles.shapes}
        viewBox={`0 0 ${size.width} ${size.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.title}
      >
        <g className={styles.all}>
          <Shapes drawn={drawn} />
          <g data-between={true}>
            <Shapes drawn={drawnBetween} />
          </g>
        </g>
        <g className={styles.highlighted}>
          <Shapes drawn={marked} />
        </g>
      </svg>
      {(marked.length > 0 ? marked : drawn.length <= MOST_LABELS ? [...drawn, ...drawnBetween] : []).map((each) => (
        <Label key={each.annotation.key} drawn={each} size={size} />
      ))}
    </div>
  );
}

/** Thousands of them are not drawn again when one is highlighted. */
const Shapes = memo(function Shapes({ drawn }: { readonly drawn: readonly DrawnAnnotation[] }) {
  return drawn.map((each) => <DrawnShape key={each.annotation.key} drawn={each} />);
});

const DrawnShape = memo(function DrawnShape({
  drawn: { annotation, shape, colour, edges, outcome },
}: {
  readonly drawn: DrawnAnnotation;
}) {
  return (
    <g
      style={{ color: colour }}
      data-crowd={annotation.crowd || annotation.ignored}
      data-prediction={outcome?.isDashed === true}
    >
      <title>{words.named(annotation.label, annotation.confidence, outcome?.text)}</title>
      {shape.type === 'keypoints' ? (
        <Keypoints numbers={shape.points} edges={edges} />
      ) : (
        <Outline path={outlineOf(shape)} isFilled={shape.type === 'polygon'} />
      )}
    </g>
  );
});

function Outline({ path, isFilled }: { readonly path: string; readonly isFilled: boolean }) {
  if (path === '') return null;
  return (
    <>
      <path className={styles.edge} d={path} />
      <path className={isFilled ? styles.filled : styles.outline} d={path} />
    </>
  );
}

/** The lines of a skeleton, and dots that are as large as ever when the picture is zoomed: lines without length. */
function Keypoints({
  numbers,
  edges,
}: {
  readonly numbers: readonly number[];
  readonly edges: DrawnAnnotation['edges'];
}) {
  const points = pointsOf(numbers);
  const dots = (among: typeof points): string => among.map(({ x, y }) => `M${x} ${y}h0`).join('');
  const hidden = dots(points.filter(({ isVisible }) => !isVisible));
  return (
    <>
      <Outline path={linesBetween(numbers, edges)} isFilled={false} />
      <path className={styles.dotEdge} d={dots(points)} />
      <path className={styles.dot} d={dots(points)} />
      <path className={styles.hole} d={hidden} />
    </>
  );
}

function Label({
  drawn: { annotation, bounds, colour, isBelow, outcome },
  size,
}: {
  readonly drawn: DrawnAnnotation;
  readonly size: Size;
}) {
  const { label, confidence } = annotation;
  if (label === '') return null;
  const percent = (part: number, whole: number): string => `${(100 * Math.max(0, Math.min(whole, part))) / whole}%`;
  return (
    <span
      className={styles.label}
      data-below={isBelow}
      data-dark={isDark(colour)}
      dir="auto"
      style={{
        background: colour,
        left: percent(bounds.left, size.width),
        top: percent(isBelow ? bounds.bottom : bounds.top, size.height),
      }}
    >
      {words.named(label, confidence, outcome?.text)}
    </span>
  );
}
