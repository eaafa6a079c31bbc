import { texts } from '../../texts';
import type { ExploreNavigation } from '../explore-address';
import {
  boundsOf,
  fileNameOf,
  RANGE_FILTERS,
  withBounds,
  withFileName,
  type Bounds,
  type RangeFilter,
} from '../simple-filters';
import { CommittedInput } from './committed-input';
import styles from './filtering.module.css';

const { filters: words } = texts.explore;
/** The units of the fields. */
const UNIT: Readonly<Record<RangeFilter, number>> = { width: 1, height: 1, file_size: 1_000 };
const RESOLUTIONS = [
  { name: 'vga', width: 640, height: 480 },
  { name: 'hd', width: 1280, height: 720 },
  { name: 'fullHd', width: 1920, height: 1080 },
  { name: 'fourK', width: 3840, height: 2160 },
] as const;
const NONE: Bounds = { from: null, to: null };

/** Pixels, bytes and the name of the file. */
export function SizeSections({ state: { filters }, change }: ExploreNavigation) {
  return (
    <>
      <section className={styles.section}>
        <h2>{words.size}</h2>
        <Resolutions state={{ filters }} change={change} />
        {RANGE_FILTERS.map((key) => (
          <RangeFields
            key={key}
            name={key}
            bounds={boundsOf(filters, key)}
            onChange={(part) =>
              change({ filters: (current) => withBounds(current, key, { ...boundsOf(current, key), ...part }) })
            }
          />
        ))}
      </section>
      <section className={styles.section}>
        <h2>{words.fileName}</h2>
        <CommittedInput
          className={styles.find}
          aria-label={words.fileName}
          placeholder={words.fileNameContains}
          dir="auto"
          value={fileNameOf(filters)}
          onCommit={(value) => change({ filters: (current) => withFileName(current, value) })}
        />
      </section>
    </>
  );
}

/** Sizes that have names. Pressed again, one stops to filter. */
function Resolutions({
  state: { filters },
  change,
}: {
  readonly state: Pick<ExploreNavigation['state'], 'filters'>;
  readonly change: ExploreNavigation['change'];
}) {
  const [wide, high] = [boundsOf(filters, 'width'), boundsOf(filters, 'height')];
  return (
    <div className={styles.presets} role="group" aria-label={words.resolution}>
      {RESOLUTIONS.map(({ name, width, height }) => {
        const isOn = wide.from === width && high.from === height && wide.to === null && high.to === null;
        const bounds = (from: number): Bounds => (isOn ? NONE : { from, to: null });
        return (
          <button
            key={name}
            type="button"
            title={`${width} × ${height}`}
            aria-pressed={isOn}
            onClick={() =>
              change({
                filters: (current) => withBounds(withBounds(current, 'width', bounds(width)), 'height', bounds(height)),
              })
            }
          >
            {words.resolutions[name]}
          </button>
        );
      })}
    </div>
  );
}

function RangeFields({
  name,
  bounds,
  onChange,
}: {
  readonly name: RangeFilter;
  readonly bounds: Bounds;
  readonly onChange: (part: Partial<Bounds>) => void;
}) {
  const what = words.ranges[name];
  const shown = (value: number | null): string => (value === null ? '' : String(value / UNIT[name]));
  const meant = (text: string): number | null => {
    const value = Math.round(Number(text) * UNIT[name]);
    return text.trim() === '' || !Number.isSafeInteger(value) || value < 0 ? null : value;
  };
  return (
    <div className={styles.range}>
      <span>{what}</span>
      <CommittedInput
        inputMode="numeric"
        aria-label={words.from(what)}
        placeholder={words.atLeast}
        value={shown(bounds.from)}
        onCommit={(text) => onChange({ from: meant(text) })}
      />
      <CommittedInput
        inputMode="numeric"
        aria-label={words.to(what)}
        placeholder={words.atMost}
        value={shown(bounds.to)}
        onCommit={(text) => onChange({ to: meant(text) })}
      />
      <small>{words.units[name]}</small>
    </div>
  );
}
