import type { Evaluation } from '../../media/evaluating/evaluation';
import { texts } from '../../texts';
import { figureText } from './figure-texts';
import styles from './evaluate.module.css';

const { figures: words } = texts.evaluate;

/** How far a figure may be from that of other such pictures, where that is known. */
export function FigureRange({ of: interval }: { readonly of: Evaluation['intervals'][string] | undefined }) {
  if (interval === undefined) return null;
  const [low = 0, high = 1] = interval;
  return (
    <dd className={styles.range} title={words.intervalHint}>
      <span aria-hidden="true">
        <span style={{ left: percent(low), right: percent(1 - high) }} />
      </span>
      <small>{words.interval(figureText(low), figureText(high))}</small>
    </dd>
  );
}

const percent = (share: number): string => `${100 * Math.min(1, Math.max(0, share))}%`;
