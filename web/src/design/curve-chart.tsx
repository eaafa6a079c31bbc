import { useState, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react';
import { nearest, pathOf, type CurvePoint } from './curve-points';
import styles from './curve-chart.module.css';

export interface Curve {
  readonly key: string;
  readonly name: string;
  /** A series of tokens.css, from 1. */
  readonly series: number;
  readonly points: readonly CurvePoint[];
}

export interface CurveChartProps {
  readonly label: string;
  /** The name of the axis below; both axes go from 0 to 1. */
  readonly across: string;
  readonly curves: readonly Curve[];
  /** The values of all curves at a place, in words. */
  readonly textAt: (x: number) => string;
  /** Where a line stands until a point is chosen. */
  readonly marked?: number | undefined;
  /** A line from corner to corner, where both axes have the same value. */
  readonly hasDiagonal?: boolean;
  /** Chooses a place, where that means something. */
  readonly onChoose?: (x: number) => void;
}

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const STEP = 0.01;
const LARGE_STEP = 0.1;

/** Lines whose points are read by pointer, and by arrow keys as those of a slider. */
export function CurveChart({ label, across, curves, textAt, marked, hasDiagonal, onChoose }: CurveChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const at = pointed ?? marked ?? 0;
  const read = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return rounded((clientX - left) / Math.max(1, width));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = placeAfter(event.key, at);
    if (next !== undefined) {
      event.preventDefault();
      setPointed(next);
    } else if (event.key === 'Enter') onChoose?.(at);
  };
  return (
    <figure className={styles.chart}>
      <figcaption>{label}</figcaption>
      <Ticks className={styles.upTicks} />
      <div
        className={styles.area}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={at}
        aria-valuetext={textAt(at)}
        data-choosable={onChoose !== undefined}
        onPointerMove={(event) => setPointed(read(event))}
        onPointerLeave={() => setPointed(null)}
        onClick={onChoose === undefined ? undefined : () => onChoose(at)}
        onBlur={() => setPointed(null)}
        onKeyDown={onKeyDown}
      >
        <Lines curves={curves} hasDiagonal={hasDiagonal === true} />
        {(pointed !== null || marked !== undefined) && <Place at={at} curves={curves} isMark={pointed === null} />}
      </div>
      <Ticks className={styles.acrossTicks} />
      <span className={styles.across}>{across}</span>
      {curves.length > 1 && <Names curves={curves} />}
      <output className={styles.text} aria-hidden="true">
        {pointed !== null || marked !== undefined ? textAt(at) : ' '}
      </output>
    </figure>
  );
}

const rounded = (x: number): number => Math.round(Math.min(1, Math.max(0, x)) / STEP) * STEP;

/** Where a key leads; undefined of keys that lead nowhere. */
function placeAfter(key: string, at: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -STEP,
    ArrowDown: -STEP,
    ArrowRight: STEP,
    ArrowUp: STEP,
    PageDown: -LARGE_STEP,
    PageUp: LARGE_STEP,
    Home: -1,
    End: 1,
  };
  const step = steps[key];
  return step === undefined ? undefined : rounded(at + step);
}

const colourOf = (series: number): CSSProperties => ({ color: `var(--series-${series})` });
const percent = (fraction: number): string => `${100 * fraction}%`;

function Lines({ curves, hasDiagonal }: { readonly curves: readonly Curve[]; readonly hasDiagonal: boolean }) {
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      {TICKS.map((tick) => (
        <path key={tick} className={styles.grid} d={`M${tick} 0V1M0 ${tick}H1`} />
      ))}
      {hasDiagonal && <path className={styles.diagonal} d="M0 1L1 0" />}
      {curves.map(({ key, series, points }) => (
        <path key={key} className={styles.line} style={colourOf(series)} d={pathOf(points)} />
      ))}
    </svg>
  );
}

/** A line at a place, and the point of each curve nearest to it. */
function Place({
  at,
  curves,
  isMark,
}: {
  readonly at: number;
  readonly curves: readonly Curve[];
  readonly isMark: boolean;
}) {
  return (
    <>
      <span className={styles.place} data-mark={isMark} style={{ left: percent(at) }} />
      {curves.map(({ key, series, points }) => {
        const point = nearest(points, at);
        return (
          point !== undefined && (
            <span
              key={key}
              className={styles.point}
              style={{ ...colourOf(series), left: percent(point.x), top: percent(1 - point.y) }}
            />
          )
        );
      })}
    </>
  );
}

const Ticks = ({ className }: { readonly className: string | undefined }) => (
  <span className={className} aria-hidden="true">
    {TICKS.map((tick) => (
      <span key={tick}>{tick}</span>
    ))}
  </span>
);

const Names = ({ curves }: { readonly curves: readonly Curve[] }) => (
  <ul className={styles.names}>
    {curves.map(({ key, series, name }) => (
      <li key={key}>
        <span className={styles.swatch} style={colourOf(series)} />
        <bdi>{name}</bdi>
      </li>
    ))}
  </ul>
);
