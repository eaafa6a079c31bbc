import { useQuery } from '@tanstack/react-query';
import { Icon } from '../../design/icon';
import { mediaQuery } from '../../media/media-query';
import { Tile, TileSkeleton } from '../../media/tile';
import { texts } from '../../texts';
import styles from './history.module.css';

/** A medium that is known by its id only, in the state that has it. */
export function ChangedTile({
  datasetId,
  mediaId,
  snapshotId,
  isSelected,
  onSelect,
}: {
  readonly datasetId: string;
  readonly mediaId: string | undefined;
  readonly snapshotId: string | undefined;
  readonly isSelected: boolean;
  readonly onSelect?: (how: 'toggle' | 'range') => void;
}) {
  const { data, error } = useQuery({
    ...mediaQuery(datasetId, mediaId ?? '', snapshotId),
    enabled: mediaId !== undefined,
  });
  if (data !== undefined)
    return (
      <Tile
        previews={[data]}
        count={1}
        label={data.file_name}
        isSelected={isSelected}
        {...(onSelect === undefined ? {} : { onSelect })}
      />
    );
  if (error === null) return <TileSkeleton />;
  const { failedTile } = texts.history.changes;
  return (
    <div className={styles.failed} role="img" aria-label={failedTile} title={failedTile}>
      <Icon name="alert" />
    </div>
  );
}
