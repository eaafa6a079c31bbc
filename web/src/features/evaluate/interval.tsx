import { texts } from '../../texts';
import { differenceText } from './figure-texts';
import styles from './evaluate.module.css';

const { slices: words } = texts.evaluate;

/** The ends of intervals, and how far from 0 the farthest one is. */
export const farthest = (intervals: readonly (readonly number[])[]): number =>
  Math.max(0, ...intervals.flat().map(Math.abs));

/** Where a difference is, with a line at 0; `most` is at the ends. */
export function Interval({
  interval: [low = 0, high = 0],
  most,
}: {
  readonly interval: readonly number[];
  readonly most: number;
}) {
  const [from = 50, to = 50] = [low, high].map((end) => 50 * (1 + (most === 0 ? 0 : end / most)));
  const text = words.interval(differenceText(low), differenceText(high));
  return (
    <span className={styles.interval} title={text}>
      <span className={styles.axis} aria-hidden="true">
        <span style={{ left: `${from}%`, width: `${Math.max(1, to - from)}%` }} />
      </span>
      <small>{text}</small>
    </span>
  );
}
