import { useId, useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { texts } from '../../texts';
import {
  between,
  CORNERS,
  isLargeEnough,
  MIDDLE,
  movedBy,
  oppositeOf,
  resizedBy,
  type Corner,
  type Point,
  type Region,
} from './region';
import styles from './region-picker.module.css';

const { part: words } = texts.explore;
const STEP = 0.02;
const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};
const percent = (fraction: number): string => `${fraction * 100}%`;

/** The drag in progress. */
type Drag = (to: Point) => Region;

interface PickerProps {
  readonly src: string;
  /** Its pixels, to cut the part out. */
  readonly picture: RefObject<HTMLImageElement | null>;
  readonly region: Region | null;
  readonly onChange: (region: Region | null) => void;
  readonly onUnreadable: () => void;
}

/** Draws a region, moves it, and changes it by its corners. */
function usePointer({ picture, region, onChange }: PickerProps) {
  const drag = useRef<Drag | null>(null);
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => {
    const { left, top, width, height } = picture.current!.getBoundingClientRect();
    return { x: (clientX - left) / width, y: (clientY - top) / height };
  };
  const end = () => {
    if (drag.current !== null && region !== null && !isLargeEnough(region)) onChange(null);
    drag.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const from = pointOf(event);
      const part = (event.target as HTMLElement).dataset['part'];
      if (region === null || part === undefined) drag.current = (to) => between(from, to);
      else if (part === 'inside') drag.current = (to) => movedBy(region, { x: to.x - from.x, y: to.y - from.y });
      else {
        const fixed = oppositeOf(region, part as Corner);
        drag.current = (to) => between(fixed, to);
      }
    },
    onPointerMove: (event: PointerEvent) => {
      if (drag.current !== null) onChange(drag.current(pointOf(event)));
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function changeByKey(event: KeyboardEvent, { region, onChange }: PickerProps): void {
  const by = DIRECTIONS[event.key];
  if (by !== undefined) {
    if (region === null) onChange(MIDDLE);
    else onChange(event.shiftKey ? resizedBy(region, by) : movedBy(region, by));
  } else if ((event.key === 'Delete' || event.key === 'Backspace') && region !== null) onChange(null);
  else return;
  event.preventDefault();
}

/** A picture, on which a part is drawn with the mouse, a finger or the arrow keys. */
export function RegionPicker(props: PickerProps) {
  const { src, picture, region, onUnreadable } = props;
  const hint = useId();
  const pointer = usePointer(props);
  return (
    <>
      <div
        role="group"
        tabIndex={0}
        aria-label={words.picture}
        aria-describedby={hint}
        className={styles.area}
        {...pointer}
        onKeyDown={(event) => changeByKey(event, props)}
      >
        <img ref={picture} src={src} alt="" draggable={false} onError={onUnreadable} />
        {region !== null && <Frame region={region} />}
      </div>
      <p id={hint} className={styles.hint}>
        {words.hint}
      </p>
      <div role="status" className="visually-hidden">
        {region !== null && words.region(region)}
      </div>
    </>
  );
}

function Frame({ region: { x, y, width, height } }: { readonly region: Region }) {
  return (
    <div
      className={styles.region}
      data-part="inside"
      style={{ left: percent(x), top: percent(y), width: percent(width), height: percent(height) }}
    >
      {CORNERS.map((corner) => (
        <span key={corner} className={styles[corner]} data-part={corner} />
      ))}
    </div>
  );
}
