import { memo, type ReactNode } from 'react';
import { messageOf } from '../../api/failure';
import { Switch } from '../../design/choices';
import { texts } from '../../texts';
import { formatNumber, formatPercent } from '../../texts/format';
import { Section } from '../media-section';
import { isConfident, type Highlight } from './annotation-view';
import type { PictureAnnotations } from './use-annotations';
import type { ShownAnnotation } from './shapes';
import styles from './annotations.module.css';

const { annotations: words } = texts;
/** All of them are drawn. */
const MOST_LISTED = 200;

/** What sources say about the picture: which of it is drawn, and a list of that. */
export function AnnotationSection({
  all,
  shown,
  cut,
  sourcesHere,
  hasConfidence,
  error,
  view,
  onView,
  highlight,
  onHighlight,
  colourOf,
  colourOfSource,
  outcomeOf,
  children,
}: PictureAnnotations & { /** Above the sources. */ readonly children?: ReactNode }) {
  if (error !== null) return <Section title={words.title}>{words.failed(messageOf(error))}</Section>;
  if (sourcesHere.length === 0) return null;
  return (
    <Section title={words.title}>
      {children}
      {sourcesHere.map((source) => (
        <SourceRow
          key={source}
          name={source}
          colour={colourOfSource(source)}
          count={all.filter((each) => each.source === source && isConfident(each, view)).length}
          isOn={!view.hidden.has(source)}
          onChange={() => onView({ ...view, hidden: toggled(view.hidden, source) })}
        />
      ))}
      {hasConfidence && <ConfidenceSlider view={view} onView={onView} />}
      {cut.length > 0 && <p className={styles.note}>{words.cut(cut)}</p>}
      <ul className={styles.list} aria-label={words.title}>
        {shown.slice(0, MOST_LISTED).map((each) => (
          <Row
            key={each.key}
            annotation={each}
            colour={colourOf(each)}
            outcome={outcomeOf(each)?.text}
            highlight={highlight}
            onHighlight={onHighlight}
          />
        ))}
      </ul>
      {shown.length > MOST_LISTED && <p className={styles.note}>{words.listed(MOST_LISTED, shown.length)}</p>}
    </Section>
  );
}

function toggled(hidden: ReadonlySet<string>, source: string): ReadonlySet<string> {
  const next = new Set(hidden);
  if (!next.delete(source)) next.add(source);
  return next;
}

function SourceRow({
  name,
  colour,
  count,
  isOn,
  onChange,
}: {
  readonly name: string;
  readonly colour: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onChange: () => void;
}) {
  return (
    <div className={styles.source}>
      <Switch label={words.show(name)} isOn={isOn} onChange={onChange}>
        <span className={styles.swatch} style={{ background: colour }} />
        <span className={styles.name} dir="auto" title={name}>
          {name}
        </span>
      </Switch>
      <small>{formatNumber(count)}</small>
    </div>
  );
}

function ConfidenceSlider({ view, onView }: Pick<PictureAnnotations, 'view' | 'onView'>) {
  const said = words.from(view.least);
  return (
    <label className={styles.confidence}>
      <span>{words.confidence}</span>
      <input
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={view.least}
        aria-label={words.confidence}
        aria-valuetext={said}
        onChange={({ target }) => onView({ ...view, least: target.valueAsNumber })}
      />
      <output>{said}</output>
    </label>
  );
}

/** Highlights its shape while it is pointed at, or until it is pressed again. Others are not made anew when one is edited. */
const Row = memo(function Row({
  annotation: { key, label, confidence, attributes, crowd, ignored, track_id: track },
  colour,
  outcome,
  highlight,
  onHighlight,
}: {
  readonly annotation: ShownAnnotation;
  readonly colour: string;
  readonly outcome: string | undefined;
  readonly highlight: Highlight;
  readonly onHighlight: (highlight: Highlight) => void;
}) {
  const isKept = highlight.kept === key;
  const pass = (passing: string | null) => onHighlight({ ...highlight, passing });
  const said = words.more({ track, crowd, ignored, attributes });
  const more = outcome === undefined ? said : [outcome, ...said];
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        aria-pressed={isKept}
        onClick={() => onHighlight({ ...highlight, kept: isKept ? null : key })}
        onPointerEnter={() => pass(key)}
        onPointerLeave={() => pass(null)}
        onFocus={() => pass(key)}
        onBlur={() => pass(null)}
      >
        <span className={styles.swatch} style={{ background: colour }} />
        <span className={styles.name} dir="auto">
          {label}
        </span>
        {confidence !== null && <small>{formatPercent(confidence)}</small>}
        {more.length > 0 && (
          <span className={styles.more} dir="auto">
            {more.join(', ')}
          </span>
        )}
      </button>
    </li>
  );
});
