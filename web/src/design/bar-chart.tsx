import styles from './bar-chart.module.css';

export interface Bar {
  readonly key: string;
  /** The label of the bar, such as its time. */
  readonly name: string;
  readonly value: number;
  /** The value in words. */
  readonly text: string;
}

const SLOT = 10;
const GAP = 3;
/** In pixels. */
const HEIGHTS = { small: 28, large: 132 };
const NONE = 1;
/** One must be seen beside a bar a thousand times its height. */
const LEAST = 3;

interface BarChartProps {
  readonly label: string;
  /** Headers of the table: the label of a bar, and its value. */
  readonly columns: readonly [string, string];
  readonly bars: readonly Bar[];
  /** The number of bars that fit; the newest are shown. */
  readonly slots: number;
  readonly size: 'small' | 'large';
  /** The highest bar in words, shown beside it. */
  readonly most?: (value: number) => string;
}

/** A bar for each value, oldest first. Screen readers get the same as a table. */
export function BarChart({ label, columns, bars, slots, size, most: mostOf }: BarChartProps) {
  const shown = bars.slice(-slots);
  const most = Math.max(1, ...shown.map(({ value }) => value));
  return (
    <figure className={`${styles.chart} ${styles[size]}`}>
      {mostOf !== undefined && (
        <span className={styles.most} aria-hidden="true">
          {mostOf(most)}
        </span>
      )}
      <Bars shown={shown} most={most} slots={slots} size={size} />
      <div className="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{columns[0]}</th>
              <th scope="col">{columns[1]}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, name, text }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function Bars({
  shown,
  most,
  slots,
  size,
}: Pick<BarChartProps, 'slots' | 'size'> & { readonly shown: readonly Bar[]; readonly most: number }) {
  const height = HEIGHTS[size];
  const heightOf = (value: number): number => (value === 0 ? NONE : Math.max(LEAST, (value / most) * height));
  // Where the newest end of all small charts is the same.
  const first = size === 'small' ? slots - shown.length : 0;
  return (
    <svg
      viewBox={`0 0 ${slots * SLOT} ${height}`}
      height={height}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={styles.bars}
    >
      {shown.map(({ key, name, value, text }, at) => (
        <g key={key} className={styles.slot}>
          <title>{`${name}: ${text}`}</title>
          <rect className={styles.room} x={(first + at) * SLOT} y={0} width={SLOT} height={height} />
          <rect
            className={value === 0 ? styles.none : styles.bar}
            x={(first + at) * SLOT + GAP / 2}
            y={height - heightOf(value)}
            width={SLOT - GAP}
            height={heightOf(value)}
          />
        </g>
      ))}
    </svg>
  );
}
