import type { MediaPreview } from 'dataset-media-service-sdk';
import { texts } from '../texts';
import { formatClock } from '../texts/format';
import { Section } from './media-section';
import { likenessOf } from './likeness';
import { Picture } from './picture';
import styles from './media-dialog.module.css';

const { detail: words } = texts.media;

/** Small pictures that open, with how much they are alike. */
export function Previews({
  title,
  previews,
  onOpen,
}: {
  readonly title: string;
  readonly previews: readonly MediaPreview[];
  readonly onOpen: (mediaId: string) => void;
}) {
  if (previews.length === 0) return null;
  return (
    <Section title={title}>
      <div className={styles.strip}>
        {previews.map((preview) => {
          const { media_id: id, media_thumb_uri: uri, file_name: name, label } = preview;
          const likeness = likenessOf(preview);
          return (
            <button key={id} type="button" title={label ?? name} onClick={() => onOpen(id)}>
              <Picture src={uri} alt={label ?? name} loading="lazy" />
              {likeness !== null && (
                <span className={styles.likeness}>
                  {likeness}
                  <span className="visually-hidden"> {words.alikeWord}</span>
                </span>
              )}
            </button>
          );
        })}
      </div>
    </Section>
  );
}

/** The frames of a video: the picture opens the frame, the time plays the video from there. */
export function Frames({
  frames,
  onOpen,
  onSeek,
}: {
  readonly frames: readonly MediaPreview[];
  readonly onOpen: (mediaId: string) => void;
  readonly onSeek: (seconds: number) => void;
}) {
  const timed = frames.flatMap((frame) =>
    frame.frame_timestamp === null ? [] : [{ ...frame, seconds: frame.frame_timestamp }],
  );
  if (timed.length === 0) return null;
  return (
    <Section title={words.frames}>
      <ol className={styles.frames}>
        {timed.map(({ media_id: id, media_thumb_uri: uri, seconds }) => (
          <li key={id}>
            <button type="button" className={styles.frame} onClick={() => onOpen(id)}>
              <Picture src={uri} alt={words.frameOf(formatClock(seconds))} loading="lazy" />
            </button>
            <button
              type="button"
              className={styles.time}
              aria-label={words.playFrom(formatClock(seconds))}
              onClick={() => onSeek(seconds)}
            >
              {formatClock(seconds)}
            </button>
          </li>
        ))}
      </ol>
    </Section>
  );
}
