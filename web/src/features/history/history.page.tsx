import { useState } from 'react';
import { isBusy, useDataset, useMayChange } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { Chip, EmptyState } from '../../design/state';
import { useReindex } from '../../media/adding/use-reindex';
import { texts } from '../../texts';
import { CreateDialog } from './snapshot-dialogs';
import { SnapshotEntry } from './snapshot-entry';
import { nameOf } from './snapshot-name';
import { disabledWhere, useSnapshots } from './snapshot-queries';
import styles from './history.module.css';

const { history: words } = texts;

/** The states of a dataset that are kept, and the current one above them. */
export function HistoryPage() {
  const dataset = useDataset();
  const mayChange = useMayChange(dataset.id);
  const { data, error, refetch } = useSnapshots(dataset);
  const [isCreating, setIsCreating] = useState(false);
  const disabled = disabledWhere(error);
  const canCreate = mayChange && disabled === undefined && dataset.status_new === 'READY';
  return (
    <>
      <PageHeader
        title={words.titleOf(dataset.display_name)}
        note={data === undefined || disabled !== undefined ? undefined : words.count(data.length)}
      >
        {mayChange && disabled === undefined && (
          <Button kind="primary" icon="camera" isDisabled={!canCreate} onPress={() => setIsCreating(true)}>
            {words.create.action}
          </Button>
        )}
      </PageHeader>
      <div className={styles.page}>
        {disabled !== undefined ? (
          <EmptyState icon="clock" title={words.disabled[disabled].title} text={words.disabled[disabled].text} />
        ) : (
          <>
            <Pending of={{ data, error, refetch }} height={240} />
            {data !== undefined && (
              <>
                {!mayChange && <p className={styles.muted}>{words.viewer}</p>}
                <ol className={styles.line} aria-label={words.list}>
                  <CurrentEntry restoring={data.filter(({ is_restoring: is }) => is).map(nameOf)[0]} />
                  {data.map((snapshot) => (
                    <SnapshotEntry key={snapshot.snapshot_id} dataset={dataset} snapshot={snapshot} />
                  ))}
                </ol>
                {data.length === 0 && (
                  <EmptyState icon="camera" title={words.none.title} text={words.none.text}>
                    {canCreate && <Button onPress={() => setIsCreating(true)}>{words.create.action}</Button>}
                  </EmptyState>
                )}
              </>
            )}
          </>
        )}
      </div>
      {isCreating && <CreateDialog dataset={dataset} onClose={() => setIsCreating(false)} />}
    </>
  );
}

function CurrentEntry({ restoring }: { readonly restoring: string | undefined }) {
  const dataset = useDataset();
  const mayChange = useMayChange(dataset.id);
  const { n_images: images, n_videos: videos, status_new: status, fatal_error_msg: failure } = dataset;
  const explanation = restoring === undefined ? words.current.states[status] : words.current.restoringText(restoring);
  const reindex = useReindex(dataset.id);
  return (
    <li className={`${styles.entry} ${styles.now}`}>
      <div className={styles.head}>
        <h2>{words.current.title}</h2>
        {(status !== 'READY' || isBusy(dataset)) && (
          <Chip tone={status === 'ERROR' ? 'bad' : isBusy(dataset) ? 'busy' : 'accent'}>
            {texts.datasets.status[status]}
          </Chip>
        )}
      </div>
      <p className={styles.meta}>{[words.images(images), ...(videos > 0 ? [words.videos(videos)] : [])].join(' · ')}</p>
      <div role="status">{explanation !== null && <p className={styles.note}>{explanation}</p>}</div>
      {status === 'ERROR' && failure !== null && <p className={styles.error}>{failure}</p>}
      {status === 'PARTIAL INDEX' && mayChange && (
        <div className={styles.actions}>
          <Button icon="again" isDisabled={reindex.isPending} onPress={() => reindex.mutate()}>
            {texts.adding.reindex.action}
          </Button>
        </div>
      )}
    </li>
  );
}
