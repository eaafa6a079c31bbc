import type { components } from 'dataset-media-service-sdk';
import { texts } from '../texts';
import { formatBytes, formatDecimal } from '../texts/format';
import styles from './media-dialog.module.css';

type MediaDetail = components['schemas']['MediaDetail'];

const { detail: words } = texts.media;

/** Of the file and of its place in the dataset. */
export function MediaFacts({
  media,
  onBatch,
}: {
  readonly media: MediaDetail;
  readonly onBatch?: ((batchId: string) => void) | undefined;
}) {
  const facts: (readonly [string, string | null])[] = [
    [words.path, media.original_uri],
    [words.size, `${words.pixels(media.width, media.height)}, ${formatBytes(media.size_bytes)}`],
    [words.format, media.mime_type],
    [words.duration, media.duration_seconds === null ? null : words.seconds(media.duration_seconds)],
    [words.frameAt, media.frame_timestamp === null ? null : words.seconds(media.frame_timestamp)],
    [words.sharpness, media.sharpness === null ? null : formatDecimal(media.sharpness, 1)],
    [words.brightness, media.mean_intensity === null ? null : formatDecimal(media.mean_intensity, 1)],
    ...media.custom_metadata.map(({ field_name: name, value }) => [name, String(value)] as const),
    [words.sha256, media.sha256],
    [words.id, media.media_id],
  ];
  const isCode = (name: string): boolean => name === words.sha256 || name === words.id || name === words.path;
  return (
    <section className={styles.section}>
      <dl className={styles.fields}>
        {facts.map(
          ([name, value]) =>
            value !== null &&
            value !== '' && (
              <div key={name} style={{ display: 'contents' }}>
                <dt dir="auto">{name}</dt>
                <dd dir="auto" className={isCode(name) ? styles.mono : undefined}>
                  {value}
                </dd>
              </div>
            ),
        )}
        {onBatch !== undefined && (
          <>
            <dt>{words.batch}</dt>
            <dd>
              <button type="button" className={styles.link} onClick={() => onBatch(media.batch_id)}>
                {words.showBatch}
              </button>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
