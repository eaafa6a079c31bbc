import { useEffect, useState, type ComponentProps } from 'react';
import { connection } from '../api/connection-state';
import { Icon } from '../design/icon';
import { texts } from '../texts';
import { pauseAfter, secondChances } from './picture-attempts';
import styles from './picture.module.css';

const { picture: words } = texts.media;

connection.onReturn(secondChances.give);
window.addEventListener('online', secondChances.give);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) secondChances.give();
});

interface Attempts {
  readonly src: string;
  /** Each requests the picture again. */
  readonly number: number;
  /** In a row, since the last request by hand. */
  readonly failures: number;
  readonly isWaiting: boolean;
}

export interface PictureProps extends Pick<ComponentProps<'img'>, 'alt' | 'draggable' | 'loading'> {
  readonly src: string;
  readonly alt: string;
  /** Not inside of another button. */
  readonly offersAgain?: boolean;
}

/** A small picture. One that does not come is asked for again, since most reasons pass: a busy proxy, a lost connection, a restart. */
export function Picture({ src, alt, offersAgain = false, ...image }: PictureProps) {
  const [kept, setAttempts] = useState<Attempts>({ src, number: 0, failures: 0, isWaiting: false });
  const attempts = kept.src === src ? kept : { src, number: kept.number, failures: 0, isWaiting: false };
  const { number, failures, isWaiting } = attempts;
  useEffect(() => {
    if (!isWaiting) return;
    const again = (before: number) => setAttempts({ src, number: number + 1, failures: before, isWaiting: false });
    const pause = pauseAfter(failures);
    const timer = pause === undefined ? undefined : setTimeout(() => again(failures), pause);
    const unsubscribe = secondChances.subscribe(() => again(0));
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [src, number, failures, isWaiting]);
  if (!isWaiting)
    return (
      <img
        key={number}
        {...image}
        src={src}
        alt={alt}
        decoding="async"
        onError={() => setAttempts({ src, number, failures: failures + 1, isWaiting: true })}
      />
    );
  const isGivenUp = pauseAfter(failures) === undefined;
  return (
    <>
      {alt !== '' && <span role="img" aria-label={isGivenUp ? words.missingNamed(alt) : alt} />}
      {isGivenUp && <Missing text={offersAgain ? words.missing : undefined} />}
    </>
  );
}

/** Replaces a picture that failed. With a text it offers to request all failed pictures again, as a key of the grid does. */
export const Missing = ({ text }: { readonly text: string | undefined }) => (
  <span className={styles.missing}>
    <Icon name="alert" />
    {text !== undefined && (
      <>
        <span className={styles.text}>{text}</span>
        <button type="button" tabIndex={-1} className={styles.again} onClick={secondChances.give}>
          {words.again}
        </button>
      </>
    )}
  </span>
);
