import { useState } from 'react';
import { isExplorable, useDataset, useMayOwn } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { ConfirmDialog } from '../../design/confirm-dialog';
import { PageBody } from '../../design/page-body';
import { PageHeader } from '../../design/page-header';
import { LinkRow, RowList } from '../../design/row-list';
import { Chip, EmptyState } from '../../design/state';
import { NotReadyPage } from '../../media/not-ready';
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
  const queues = useQueues(dataset.id);
  const { data } = queues;
  if (!isExplorable(dataset)) return <NotReadyPage dataset={dataset} title={words.title} />;
  return (
    <>
      <PageHeader title={words.title}>
        {mayOwn && (
          <Button kind="primary" icon="plus" onPress={() => setIsCreating(true)}>
            {words.create.action}
          </Button>
        )}
      </PageHeader>
      <PageBody isDense>
        <Pending of={queues} height={72} />
        {data?.length === 0 && <EmptyState icon="tasks" title={words.none.title} text={words.none.text} />}
        {data !== undefined && data.length > 0 && (
          <RowList label={words.list}>
            {data.map((queue) => (
              <QueueRow key={queue.id} datasetId={dataset.id} queue={queue} mayOwn={mayOwn} />
            ))}
          </RowList>
        )}
      </PageBody>
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
    <LinkRow
      to={id}
      name={name}
      lines={
        <p className={styles.muted} dir="auto">
          {question.text ?? words.work.ask[question.type]}
        </p>
      }
    >
      <QueueFacts queue={queue} />
      {mayOwn && <IconButton icon="trash" label={words.remove.action(name)} onPress={() => setIsRemoving(true)} />}
      {isRemoving && (
        <ConfirmDialog
          title={words.remove.title(name)}
          confirm={words.remove.confirm}
          isDangerous
          action={remove}
          onClose={() => setIsRemoving(false)}
        >
          <p>{words.remove.text}</p>
        </ConfirmDialog>
      )}
    </LinkRow>
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
