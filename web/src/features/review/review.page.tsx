import { useState } from 'react';
import { Link } from 'react-router';
import { isExplorable, useDataset, useMayOwn } from '../../api/datasets';
import { errorText, Failure } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { PageHeader } from '../../design/page-header';
import { Chip, EmptyState, Skeleton } from '../../design/state';
import { NotReady } from '../../media/not-ready';
import { NewQueueDialog } from '../../media/reviewing/new-queue-dialog';
import { texts } from '../../texts';
import { formatShortTime } from '../../texts/format';

import { useQueues, useRemoveQueue, type Queue } from './review-queries';
import styles from './review.module.css';

const { review: words } = texts;

/** The review queues of a dataset. */
export function ReviewPage() {
  const dataset = useDataset();
  const mayOwn = useMayOwn(dataset.id);
  const [isCreating, setIsCreating] = useState(false);
  const { data, error, refetch } = useQueues(dataset.id);
  if (!isExplorable(dataset))
    return (
      <>
        <PageHeader title={words.title} />
        <NotReady dataset={dataset} />
      </>
    );
  return (
    <>
      <PageHeader title={words.title}>
        {mayOwn && (
          <Button kind="primary" icon="plus" onPress={() => setIsCreating(true)}>
            {words.create.action}
          </Button>
        )}
      </PageHeader>
      <div className={styles.page}>
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton style={{ height: 72 }} />}
        {data?.length === 0 && <EmptyState icon="tasks" title={words.none.title} text={words.none.text} />}
        {data !== undefined && data.length > 0 && (
          <ul className={styles.list} aria-label={words.list}>
            {data.map((queue) => (
              <QueueRow key={queue.id} datasetId={dataset.id} queue={queue} mayOwn={mayOwn} />
            ))}
          </ul>
        )}
      </div>
      {isCreating && <NewQueueDialog datasetId={dataset.id} onClose={() => setIsCreating(false)} />}
    </>
  );
}

function QueueRow({
  datasetId,
  queue,
  mayOwn,
}: {
  readonly datasetId: string;
  readonly queue: Queue;
  readonly mayOwn: boolean;
}) {
  const [isRemoving, setIsRemoving] = useState(false);
  const remove = useRemoveQueue(datasetId, queue, () => setIsRemoving(false));
  const { id, name, question } = queue;
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <h2>
          <Link to={id} dir="auto" title={name}>
            {name}
          </Link>
        </h2>
        <p dir="auto">{question.text ?? words.work.ask[question.type]}</p>
      </div>
      <QueueFacts queue={queue} />
      {mayOwn && <IconButton icon="trash" label={words.remove.action(name)} onPress={() => setIsRemoving(true)} />}
      {isRemoving && (
        <ConfirmDialog
          title={words.remove.title(name)}
          confirm={words.remove.confirm}
          isDangerous
          isPending={remove.isPending}
          error={errorText(remove.error)}
          onConfirm={() => remove.mutate()}
          onClose={() => setIsRemoving(false)}
        >
          <p>{words.remove.text}</p>
        </ConfirmDialog>
      )}
    </li>
  );
}

function QueueFacts({ queue }: { readonly queue: Queue }) {
  const { n_items: items, n_left: left, due_at: due, paused, view_id: view, feed_error: feedError } = queue;
  return (
    <div className={styles.progress}>
      <progress max={items} value={items - left} aria-label={words.left(left, items)} />
      <small>
        {[words.left(left, items), ...(due === null ? [] : [words.due(formatShortTime(due))])].join(', ')}{' '}
        {paused && <Chip>{words.paused}</Chip>} {view !== null && <Chip>{words.isFed}</Chip>}
      </small>
      {feedError !== null && <small>{feedError}</small>}
    </div>
  );
}
