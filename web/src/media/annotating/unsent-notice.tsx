import { useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../design/button';
import { Dialog, DialogActions } from '../../design/dialog';
import { texts } from '../../texts';
import { boundsOf, filledBy, outlineOf, sizeOf, type Shape, type Size } from '../annotations/shapes';
import { mediaQuery } from '../media-query';
import type { Said } from './edit';
import { editQueue, type Conflict } from './edit-queue';
import styles from './annotating.module.css';

const { annotating: words } = texts;
/** Around the shapes of a conflict, as a part of them. */
const MARGIN = 0.5;

/** What unsent edits wait for, on any page, and the conflict of the first one. */
export function UnsentNotice() {
  const { unsent, hindrance } = useSyncExternalStore(editQueue.subscribe, editQueue.read);
  if (hindrance === null || unsent.length === 0) return null;
  if (hindrance.kind === 'conflict')
    return <ConflictDialog key={hindrance.conflict.edit.key} conflict={hindrance.conflict} />;
  // An open dialog makes all else inert, except what is marked and not inside of the rest.
  return createPortal(
    <div role="status" className={styles.unsent} data-react-aria-top-layer="true">
      {hindrance.kind === 'away' ? words.away(unsent.length) : words.hindered(unsent.length, hindrance.reason)}
      {hindrance.kind !== 'away' && (
        <>
          <Button onPress={() => void editQueue.sendAll()}>{words.again}</Button>
          <Button onPress={() => void editQueue.discard()}>{words.discard}</Button>
        </>
      )}
    </div>,
    document.body,
  );
}

/** Both versions of an annotation that two people changed. */
function ConflictDialog({ conflict }: { readonly conflict: Conflict }) {
  const { edit, id, current } = conflict;
  const [isPending, setIsPending] = useState(false);
  const { data: media } = useQuery(mediaQuery(edit.datasetId, edit.mediaId));
  const mine = edit.changes.find((change) => change.id === id)?.after ?? null;
  const resolve = (keep: 'mine' | 'theirs') => () => {
    setIsPending(true);
    void editQueue.resolve(conflict, keep);
  };
  const picture = media === undefined ? undefined : { size: sizeOf(media), src: media.image_uri };
  const part = picture && partAround([mine, current], picture.size);
  return (
    <Dialog title={words.conflict.title} isAlert isWide>
      <p>{words.conflict.text(current?.created_by ?? null)}</p>
      <div className={styles.versions}>
        <Version title={words.conflict.mine} said={mine} picture={picture} part={part} />
        <Version title={words.conflict.theirs} said={current} picture={picture} part={part} />
      </div>
      <DialogActions>
        <Button isDisabled={isPending} onPress={resolve('theirs')}>
          {words.conflict.keepTheirs}
        </Button>
        <Button kind="primary" autoFocus isDisabled={isPending} onPress={resolve('mine')}>
          {words.conflict.keepMine}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

interface PartOf {
  readonly picture: { readonly size: Size; readonly src: string } | undefined;
  /** As in `viewBox`. */
  readonly part: string | undefined;
}

function Version({ title, said, picture, part }: PartOf & { readonly title: string; readonly said: Said | null }) {
  return (
    <section>
      <h3>{title}</h3>
      <p dir="auto">{said === null ? words.conflict.removed : said.label}</p>
      {picture !== undefined && part !== undefined && (
        <svg viewBox={part} role="img" aria-label={title}>
          <image href={picture.src} {...picture.size} preserveAspectRatio="none" />
          {said?.shape && <Drawn shape={said.shape} size={picture.size} />}
        </svg>
      )}
    </section>
  );
}

function Drawn({ shape, size }: { readonly shape: Shape; readonly size: Size }) {
  if (shape.type !== 'mask') return <path d={outlineOf(shape)} />;
  const [across, down] = [size.width / shape.width, size.height / shape.height];
  const rectangles = filledBy(shape).map(([x, y, width, height]) => `M${x} ${y}h${width}v${height}h${-width}Z`);
  return <path className={styles.maskPath} d={rectangles.join('')} transform={`scale(${across} ${down})`} />;
}

/** The same part of the picture for both, with a margin. */
function partAround(versions: readonly (Said | null)[], size: Size): string | undefined {
  const all = versions.flatMap((said) => (said?.shape ? (boundsOf(said.shape, size) ?? []) : []));
  if (all.length === 0) return undefined;
  const [left, top] = [Math.min(...all.map((each) => each.left)), Math.min(...all.map((each) => each.top))];
  const [right, bottom] = [Math.max(...all.map((each) => each.right)), Math.max(...all.map((each) => each.bottom))];
  const margin = MARGIN * Math.max(right - left, bottom - top, 1);
  return [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin].join(' ');
}
