import type { ReactNode } from 'react';
import { Icon } from '../../design/icon';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import type { Choice } from '../simple-filters';
import type { Option } from './list-options';
import styles from './filtering.module.css';

const { filters: words } = texts.explore;

/** In pixels, of each step down. */
const INDENT = 9;

/** A value to choose or to exclude. */
export function OptionRow({
  option: { name, count, above },
  isChosen,
  isExcluded,
  fold,
  onToggle,
}: {
  readonly option: Option;
  readonly isChosen: boolean;
  readonly isExcluded: boolean;
  readonly fold: ReactNode;
  readonly onToggle: (how: Choice) => void;
}) {
  return (
    <div className={styles.option} data-excluded={isExcluded} style={{ marginInlineStart: above.length * INDENT }}>
      {fold}
      <label>
        <input type="checkbox" checked={isChosen} onChange={() => onToggle('choose')} />
        <span dir="auto" title={name}>
          {name}
        </span>
        {count !== null && <small>{formatCount(count)}</small>}
      </label>
      <button
        type="button"
        aria-pressed={isExcluded}
        aria-label={words.exclude(name)}
        title={words.exclude(name)}
        onClick={() => onToggle('exclude')}
      >
        <Icon name="minus" size={14} />
      </button>
    </div>
  );
}

/** Shows the options below one. Takes its place where there are none. */
export function FoldButton({
  option: { name, hasNarrower },
  isOpen,
  onClick,
}: {
  readonly option: Option;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={styles.fold}
      aria-expanded={isOpen}
      aria-label={words.narrower(name)}
      disabled={!hasNarrower}
      onClick={onClick}
    >
      <Icon name="right" size={12} />
    </button>
  );
}
