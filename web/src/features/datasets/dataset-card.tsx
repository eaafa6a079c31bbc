import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { DatasetDetails } from 'dataset-media-service-sdk';
import { Link } from 'react-router';
import { answered, service } from '../../api/client';
import { isBusy, isExplorable, type DatasetListItem } from '../../api/datasets';
import { keys } from '../../api/keys';
import { IconButton } from '../../design/button';
import { Icon } from '../../design/icon';
import { Menu, type MenuEntry } from '../../design/menu';
import { Chip, Progress, type Tone } from '../../design/state';
import { useGrowth } from '../../media/adding/use-growth';
import { useEditing } from '../../media/editing/use-editing';
import { acrossClusters } from '../../media/across-clusters';
import { Picture } from '../../media/picture';
import { texts } from '../../texts';
import { DeleteDialog } from './dataset-dialogs';
import { ShareDialog } from './share-dialog';
import styles from './datasets.module.css';

const TONES: Readonly<Record<DatasetDetails['status_new'], Tone>> = {
  DRAFT: 'plain',
  INDEXING: 'busy',
  'READ ONLY': 'busy',
  'PARTIAL INDEX': 'accent',
  READY: 'ok',
  ERROR: 'bad',
};

const FAMILIES = 4;
const MOSAIC_TILES = 6;
const MOSAIC_MS = 5 * 60_000;

interface CardProps {
  readonly dataset: DatasetListItem;
  /** Shows its unreadable files. */
  readonly onUnreadable: () => void;
}

export function DatasetCard({ dataset, onUnreadable }: CardProps) {
  const { id, display_name: name, description, status_new: status, progress, fatal_error_msg: failure } = dataset;
  return (
    <article className={styles.card}>
      <Mosaic dataset={dataset} />
      <div className={styles.body}>
        <div className={styles.row}>
          <h2>
            <Link to={`/datasets/${id}`} dir="auto" title={name} className={styles.cover}>
              {name}
            </Link>
          </h2>
          <Chip tone={TONES[status]}>{texts.datasets.status[status]}</Chip>
          <Actions dataset={dataset} onUnreadable={onUnreadable} />
        </div>
        <p className={styles.counts}>{countsOf(dataset)}</p>
        {description !== '' && (
          <p className={styles.counts} dir="auto" title={description}>
            {description}
          </p>
        )}
        {isBusy(dataset) && <Progress label={texts.datasets.progress(name, progress)} percent={progress} />}
        {status === 'ERROR' && failure !== null && <p className={styles.error}>{failure}</p>}
        {status === 'ERROR' && (
          <button
            type="button"
            className={styles.link}
            aria-label={texts.datasets.quarantine.title(name)}
            onClick={onUnreadable}
          >
            {texts.datasets.quarantine.action}
          </button>
        )}
      </div>
    </article>
  );
}

function countsOf({ n_images, n_videos, n_objects }: DatasetListItem): string {
  const { images, videos, objects } = texts.datasets;
  return [
    images(n_images),
    ...(n_videos > 0 ? [videos(n_videos)] : []),
    ...(n_objects > 0 ? [objects(n_objects)] : []),
  ].join(' · ');
}

/** One picture of each of the largest families. */
function Mosaic({ dataset }: { readonly dataset: DatasetListItem }) {
  const canLook = isExplorable(dataset) && dataset.n_images + dataset.n_videos > 0;
  const { data } = useQuery({
    queryKey: keys.of(dataset.id, 'mosaic', dataset.status_new),
    enabled: canLook,
    staleTime: MOSAIC_MS,
    queryFn: async () => {
      const params = {
        path: { dataset_id: dataset.id },
        query: { entity_type: 'IMAGES', threshold: FAMILIES } as const,
      };
      const { clusters } = await answered(service.api.GET('/api/v1/explore/{dataset_id}', { params }));
      return acrossClusters(clusters, MOSAIC_TILES).map(({ media_thumb_uri: uri }) => uri);
    },
  });
  return (
    <div className={styles.mosaic} aria-hidden="true">
      {Array.from({ length: MOSAIC_TILES }, (_, at) => {
        const uri = data?.[at];
        return <div key={at}>{uri !== undefined && <Picture src={uri} alt="" loading="lazy" />}</div>;
      })}
      {!canLook && (
        <span className={styles.mosaicNote}>
          <Icon name="image" size={22} />
        </span>
      )}
    </div>
  );
}

function Actions({ dataset, onUnreadable }: CardProps) {
  const [open, setOpen] = useState<'share' | 'remove' | null>(null);
  const { quarantine, share, remove, actions } = texts.datasets;
  const label = actions(dataset.display_name);
  const isOwner = dataset.role === 'owner';
  const mayChange = dataset.role !== 'viewer';
  const [growth, growthDialog] = useGrowth(dataset, mayChange);
  const [editing, editingDialog] = useEditing(dataset, mayChange);
  const entries: MenuEntry[] = [
    ...growth,
    ...editing,
    { id: 'quarantine', label: quarantine.action, icon: 'alert', onAction: onUnreadable },
    ...(isOwner
      ? [
          { id: 'share', label: share.action, icon: 'share', onAction: () => setOpen('share') } as const,
          {
            id: 'remove',
            label: remove.action,
            icon: 'trash',
            isDangerous: true,
            isDisabled: isBusy(dataset),
            onAction: () => setOpen('remove'),
          } as const,
        ]
      : []),
  ];
  const close = () => setOpen(null);
  return (
    <div className={styles.actions}>
      <Menu trigger={<IconButton icon="more" label={label} />} label={label} entries={entries} />
      {growthDialog}
      {editingDialog}
      {open === 'share' && <ShareDialog dataset={dataset} onClose={close} />}
      {open === 'remove' && <DeleteDialog dataset={dataset} onClose={close} />}
    </div>
  );
}
