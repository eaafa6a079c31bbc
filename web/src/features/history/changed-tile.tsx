import type { MediaPreview } from 'dataset-media-service-sdk';
import { Icon } from '../../design/icon';
import { Tile, TileSkeleton } from '../../media/tile';
import { texts } from '../../texts';
import styles from './history.module.css';

/** A medium that is known by its id only until it is read from the state that has it. */
export function ChangedTile({
  media,
  isRead,
  isSelected,
  onSelect,
}: {
  readonly media: MediaPreview | undefined;
  /** Whether the media were asked for, with or without success. */
  readonly isRead: boolean;
  readonly isSelected: boolean;
  readonly onSelect?: (how: 'toggle' | 'range') => void;
}) {
  if (media !== undefined)
    return (
      <Tile
        previews={[media]}
        count={1}
        label={media.file_name}
        isSelected={isSelected}
        {...(onSelect === undefined ? {} : { onSelect })}
      />
    );
  if (!isRead) return <TileSkeleton />;
  const { failedTile } = texts.history.changes;
  return (
    <div className={styles.failed} role="img" aria-label={failedTile} title={failedTile}>
      <Icon name="alert" />
    </div>
  );
}
