import { useEffect, useRef, useState, type MouseEvent, type PointerEvent, type ReactNode } from 'react';
import type { MediaPreview } from 'dataset-media-service-sdk';
import { Icon } from '../design/icon';
import { texts } from '../texts';
import { formatCount } from '../texts/format';
import { Missing, Picture } from './picture';
import { secondChances } from './picture-attempts';
import styles from './tile.module.css';

export interface TileProps {
  /** The first is shown; moving the pointer over a stack shows the others. */
  readonly previews: readonly MediaPreview[];
  /** More than one makes a stack. */
  readonly count: number;
  readonly label: string;
  /** The similarity to the searched text or picture. */
  readonly likeness?: string | null;
  readonly isSelected: boolean;
  /** Below the picture. */
  readonly facts?: ReactNode;
  /** Left out where nothing can be selected. */
  readonly onSelect?: (how: 'toggle' | 'range') => void;
  readonly onFindSimilar?: ((preview: MediaPreview) => void) | undefined;
}

/** The cell around it is focused and clicked; the tools are for the pointer, as the keyboard has keys for them. */
export function Tile(props: TileProps) {
  const { previews, count, label, likeness = null, isSelected, facts } = props;
  const [at, setAt] = useState(0);
  const preview = previews[Math.min(at, previews.length - 1)];
  if (preview === undefined) return null;
  const skim = ({ currentTarget, clientX, pointerType }: PointerEvent) => {
    if (pointerType !== 'mouse') return;
    const { left, width } = currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(previews.length - 1, Math.floor(((clientX - left) / width) * previews.length))));
  };
  return (
    <div
      className={`${styles.tile} ${count > 1 ? styles.stacked : ''} ${preview.type === 'OBJECT' ? styles.whole : ''}`}
      data-selected={isSelected}
      data-tour={count > 1 ? 'stack' : undefined}
      onPointerMove={previews.length > 1 ? skim : undefined}
      onPointerLeave={() => setAt(0)}
    >
      <div className={styles.frame}>
        <Picture src={preview.media_thumb_uri} alt={label} loading="lazy" draggable={false} offersAgain />
        <Tools {...props} preview={preview} />
        {preview.type === 'VIDEO' && (
          <span className={styles.kind}>
            <Icon name="play" size={12} />
          </span>
        )}
        <Found preview={preview} likeness={likeness} />
        {count > 1 && (
          <span className={styles.count} aria-hidden="true">
            {formatCount(count)}
          </span>
        )}
      </div>
      {facts}
    </div>
  );
}

/** Why the picture was found. */
function Found({ preview, likeness }: { readonly preview: MediaPreview; readonly likeness: string | null }) {
  const isInText = preview.matched?.includes('text') === true;
  if (preview.type === 'VIDEO' || (likeness === null && !isInText)) return null;
  const words = [
    ...(isInText ? [texts.media.inText] : []),
    ...(likeness === null ? [] : [texts.media.likeness(likeness)]),
  ].join(', ');
  return (
    <span className={styles.likeness} title={words}>
      {isInText && <Icon name="text" size={12} />}
      {isInText && <span className="visually-hidden">{texts.media.inText}</span>}
      {likeness}
    </span>
  );
}

function Tools({
  preview,
  isSelected,
  onSelect,
  onFindSimilar,
}: Pick<TileProps, 'isSelected' | 'onSelect' | 'onFindSimilar'> & { readonly preview: MediaPreview }) {
  return (
    <div className={styles.tools} data-tour="selection">
      {onSelect !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          className={`${styles.tool} ${styles.check}`}
          aria-label={texts.media.select}
          aria-pressed={isSelected}
          onClick={(event: MouseEvent) => onSelect(event.shiftKey ? 'range' : 'toggle')}
        >
          <Icon name="check" size={14} />
        </button>
      )}
      {onFindSimilar !== undefined && preview.type !== 'VIDEO' && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.tool}
          title={texts.media.findSimilar}
          aria-label={texts.media.findSimilar}
          onClick={() => onFindSimilar(preview)}
        >
          <Icon name="similar" size={14} />
        </button>
      )}
    </div>
  );
}

/** A tile of which nothing is known yet, or could be read. */
export function TileSkeleton({ onAgain }: { readonly onAgain?: (() => void) | undefined }) {
  return (
    <div className={styles.tile}>
      <div className={styles.frame}>{onAgain !== undefined && <Unread onAgain={onAgain} />}</div>
    </div>
  );
}

function Unread({ onAgain }: { readonly onAgain: () => void }) {
  const latest = useRef(onAgain);
  latest.current = onAgain;
  useEffect(() => secondChances.subscribe(() => latest.current()), []);
  return <Missing text={texts.media.picture.unread} />;
}
