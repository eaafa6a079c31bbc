import { useState } from 'react';
import { IconButton } from '../../design/button';
import { texts } from '../../texts';
import { formatCount } from '../../texts/format';
import type { Colouring } from './map-address';
import { isFilteredBy, type LegendEntry } from './legend-entries';
import type { MapNavigation } from './map-state';
import { cssColour } from './palette';
import styles from './map-legend.module.css';

const { legend: words } = texts.map;
const NARROW_PX = 720;
/** Of which a medium may have several. */
const SHARED: ReadonlySet<Colouring> = new Set(['label', 'tag', 'issue', 'outcome']);

export interface Highlight {
  /** Chosen, until it is chosen again. */
  readonly kept: number | null;
  /** While the pointer rests on it. */
  readonly passing: number | null;
}

interface MapLegendProps {
  readonly colouring: Colouring;
  readonly entries: readonly LegendEntry[];
  readonly filters: MapNavigation['state']['filters'];
  readonly highlight: Highlight;
  readonly onFilter: (filter: NonNullable<LegendEntry['filter']>) => void;
  readonly onHighlight: (highlight: Highlight) => void;
}

/** The meaning of the colours. An entry filters by its value, or highlights it if there is no such filter. */
export function MapLegend({ colouring, entries, filters, highlight, onFilter, onHighlight }: MapLegendProps) {
  const [isOpen, setIsOpen] = useState(window.innerWidth > NARROW_PX);
  if (entries.length === 0) return null;
  const isShared = SHARED.has(colouring);
  return (
    <section className={styles.legend} data-open={isOpen} aria-label={words.title}>
      <div className={styles.head}>
        <h2>{texts.map.colourings[colouring]}</h2>
        <IconButton
          icon={isOpen ? 'up' : 'down'}
          label={isOpen ? words.hide : words.show}
          aria-expanded={isOpen}
          onPress={() => setIsOpen(!isOpen)}
        />
      </div>
      {isOpen && (
        <ul className={styles.entries} tabIndex={0} aria-label={texts.map.colourings[colouring]}>
          {entries.every(({ colour }) => colour >= entries.length) && (
            <li className={styles.note}>{words.nothing[colouring]}</li>
          )}
          {entries.map((entry) => (
            <li key={entry.colour}>
              <Entry
                entry={entry}
                isOn={isFilteredBy(filters, entry) || highlight.kept === entry.colour}
                onPress={() =>
                  entry.filter === null
                    ? onHighlight({ ...highlight, kept: highlight.kept === entry.colour ? null : entry.colour })
                    : onFilter(entry.filter)
                }
                onPass={(isOver) => onHighlight({ ...highlight, passing: isOver ? entry.colour : null })}
              />
            </li>
          ))}
          {isShared && entries.length > 2 && <li className={styles.note}>{words.several}</li>}
        </ul>
      )}
    </section>
  );
}

function Entry({
  entry: { colour, name, count, filter },
  isOn,
  onPress,
  onPass,
}: {
  readonly entry: LegendEntry;
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly onPass: (isOver: boolean) => void;
}) {
  return (
    <button
      type="button"
      className={styles.entry}
      aria-pressed={isOn}
      title={filter === null ? words.highlight(name) : words.filter(name)}
      onClick={onPress}
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse') onPass(true);
      }}
      onPointerLeave={() => onPass(false)}
    >
      <span className={styles.swatch} style={{ background: cssColour(colour) }} />
      <span className={styles.name} dir="auto">
        {name}
      </span>
      {count !== null && <small>{formatCount(count)}</small>}
    </button>
  );
}
