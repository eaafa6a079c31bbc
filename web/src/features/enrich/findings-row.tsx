import { Fragment, useState, type CSSProperties } from 'react';
import { Icon } from '../../design/icon';
import { Picture } from '../../media/picture';
import { texts } from '../../texts';
import { comparedFields, type ComparedField, type Entry, type ListedMedia } from './compared-fields';
import styles from './findings.module.css';

const { findings: words } = texts.enrich;
/** Of a field; the others are counted. */
const MOST_ENTRIES = 12;

/** Shown for a state without a value. */
const WITHOUT = { reading: '…', missing: words.missing, nothing: words.nothing };

const percent = (fraction: number): string => `${fraction * 100}%`;

export type Side = 'before' | 'now';

interface RowProps {
  readonly now: ListedMedia;
  /** Null while it is read, undefined if the earlier state does not have the medium. */
  readonly before: ListedMedia | null | undefined;
  /** Whether there is an earlier state at all. */
  readonly isCompared: boolean;
  readonly onOpen: (side: Side) => void;
}

/** A picture with its annotations before and now. */
export function FindingsRow({ now, before, isCompared, onOpen }: RowProps) {
  const { file_name: file } = now;
  const fields = comparedFields(before ?? undefined, now);
  const [marked, setMarked] = useState<string | null>(null);
  const details = (side: Side) => (
    <button type="button" aria-label={words.details(file, words[side])} onClick={() => onOpen(side)}>
      {words[side]}
      <Icon name="right" size={12} />
    </button>
  );
  return (
    <li className={styles.row}>
      <OpeningPicture media={now} marked={marked} onOpen={() => onOpen('now')} />
      <div className={styles.known} data-compared={isCompared}>
        <h2 dir="auto" title={now.original_uri}>
          {file}
        </h2>
        {isCompared && <div className={styles.side}>{before === undefined ? words.before : details('before')}</div>}
        <div className={styles.side}>{details('now')}</div>
        {fields.map((field) => (
          <Fragment key={field.name}>
            <h3>{words.fields[field.name]}</h3>
            {isCompared && (
              <Entries
                field={field}
                side="before"
                without={WITHOUT[before === null ? 'reading' : before === undefined ? 'missing' : 'nothing']}
              />
            )}
            <Entries field={field} side="now" without={WITHOUT.nothing} onPoint={setMarked} />
          </Fragment>
        ))}
      </div>
    </li>
  );
}

function OpeningPicture({
  media,
  marked,
  onOpen,
}: {
  readonly media: ListedMedia;
  /** The object that is pointed at. */
  readonly marked: string | null;
  readonly onOpen: () => void;
}) {
  const { width, height, objects = [] } = media;
  return (
    <button
      type="button"
      className={styles.picture}
      style={{ '--ratio': String(width / Math.max(1, height)) } as CSSProperties}
      aria-label={words.details(media.file_name, words.now)}
      onClick={onOpen}
    >
      <span className={styles.frame}>
        <Picture src={media.media_thumb_uri} alt="" loading="lazy" />
        {objects.map(({ media_id: id, bounding_box: box }) =>
          box === null ? null : (
            <span
              key={id}
              className={styles.box}
              data-marked={id === marked}
              style={{
                left: percent(box.x),
                top: percent(box.y),
                width: percent(box.width),
                height: percent(box.height),
              }}
            />
          ),
        )}
      </span>
    </button>
  );
}

function Entries({
  field,
  side,
  without,
  onPoint,
}: {
  readonly field: ComparedField;
  readonly side: Side;
  /** Stands where nothing is known. */
  readonly without: string;
  readonly onPoint?: (mediaId: string | null) => void;
}) {
  const entries = field[side];
  const shown = entries.slice(0, MOST_ENTRIES);
  const isText = field.name === 'captions' || field.name === 'text';
  return (
    <div className={isText ? styles.texts : styles.chips} dir="auto">
      <span className="visually-hidden">{words[side]}: </span>
      {entries.length === 0 && <span className={styles.muted}>{without}</span>}
      {shown.map((entry) => (
        <Shown key={entry.key} entry={entry} side={side} isText={isText} onPoint={onPoint} />
      ))}
      {entries.length > shown.length && (
        <span className={styles.muted}>{words.more(entries.length - shown.length)}</span>
      )}
    </div>
  );
}

function Shown({
  entry,
  side,
  isText,
  onPoint,
}: {
  readonly entry: Entry;
  readonly side: Side;
  readonly isText: boolean;
  readonly onPoint: ((mediaId: string | null) => void) | undefined;
}) {
  const { text, note, mediaId, differs } = entry;
  return (
    <span
      className={isText ? styles.text : styles.chip}
      data-change={differs ? (side === 'now' ? 'added' : 'gone') : undefined}
      title={isText ? undefined : text}
      onPointerEnter={mediaId === undefined ? undefined : () => onPoint?.(mediaId)}
      onPointerLeave={mediaId === undefined ? undefined : () => onPoint?.(null)}
    >
      <span>{text}</span>
      {note !== null && <small>{note}</small>}
      {differs && <span className="visually-hidden">({side === 'now' ? words.added : words.gone})</span>}
    </span>
  );
}
