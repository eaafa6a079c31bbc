import { useState, type CSSProperties } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { texts } from '../texts';
import styles from './media-overlay.module.css';

type MediaDetail = components['schemas']['MediaDetail'];
type Box = NonNullable<MediaDetail['bounding_box']>;

const { detail: words } = texts.media;
/** Small pictures are enlarged up to this much. */
const MOST_SCALE = 2;

const percent = (fraction: number): string => `${fraction * 100}%`;

interface DrawnBox {
  readonly id: string;
  readonly text: string;
  readonly box: Box;
}

function boxesOf(media: MediaDetail): DrawnBox[] {
  if (media.bounding_box !== null)
    return [{ id: media.media_id, text: media.label ?? media.caption ?? '', box: media.bounding_box }];
  return media.children.flatMap(({ media_id: id, bounding_box: box, label, caption }) =>
    box === null ? [] : [{ id, text: label ?? caption ?? '', box }],
  );
}

/** The picture with its boxes; of an object, the picture that it is on; of a video, the player. */
export function MediaStage({ media }: { readonly media: MediaDetail }) {
  const [isUnreadable, setIsUnreadable] = useState(false);
  const onPicture = media.type === 'OBJECT' ? media.parent : null;
  const { width, height } = onPicture ?? media;
  const style = {
    '--ratio': String(width / Math.max(1, height)),
    '--width': `${width * MOST_SCALE}px`,
  } as CSSProperties;
  if (media.type === 'VIDEO')
    return (
      <div className={styles.picture} style={style}>
        <video controls preload="metadata" poster={media.media_thumb_uri} src={media.video_uri || media.media_uri}>
          {media.file_name}
        </video>
      </div>
    );
  const source = onPicture?.image_uri ?? media.image_uri;
  const preview = onPicture?.media_thumb_uri ?? media.media_thumb_uri;
  return (
    <div className={styles.picture} style={style}>
      <img
        src={isUnreadable ? preview : source}
        alt={media.caption ?? media.file_name}
        onError={() => setIsUnreadable(true)}
      />
      {boxesOf(media).map(({ id, text, box }) => (
        <div
          key={id}
          className={styles.box}
          style={{ left: percent(box.x), top: percent(box.y), width: percent(box.width), height: percent(box.height) }}
        >
          {text !== '' && <span dir="auto">{text}</span>}
        </div>
      ))}
      {isUnreadable && <p className={styles.note}>{words.noPreview}</p>}
    </div>
  );
}
