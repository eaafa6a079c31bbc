import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from '@tanstack/react-query';
import { useDataset, useMayChange } from '../../api/datasets';
import { Failure, Pending } from '../../api/failure';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { EmptyState } from '../../design/state';
import { useAnnotations } from '../../media/annotations/use-annotations';
import { mediaQuery } from '../../media/media-query';
import { MediaStage } from '../../media/media-stage';
import { MediaOverlay } from '../../media/media-overlay';
import { texts } from '../../texts';
import { CheckPanel } from './check-panel';
import { Comments } from './comments';
import { Figures } from './figures';
import { useQuestionKeys } from './question-keys';
import { QuestionPanel } from './question-panel';
import { TakeBack } from './take-back';
import { useWork } from './use-work';
import { useCheck, useQueue, useToCheck, type Item, type Queue } from './review-queries';
import styles from './review.module.css';

const { review: words } = texts;
const MODES = (['answer', 'check', 'figures'] as const).map((value) => ({ value, label: words.work.modes[value] }));
const LAYERS = { shapes: true, text: false, caption: false };

/** One item of a queue after the other, with its question. */
export function QueuePage() {
  const { id: datasetId } = useDataset();
  const { queueId = '' } = useParams();
  const [chosen, setMode] = useState<(typeof MODES)[number]['value']>('answer');
  const mayAnswer = useMayChange(datasetId);
  const mode = mayAnswer ? chosen : 'figures';
  const found = useQueue(datasetId, queueId);
  const { data: queue } = found;
  if (queue === undefined) return <Pending of={found} height={240} margin={24} />;
  return (
    <>
      <PageHeader title={queue.name} note={words.left(queue.n_left, queue.n_items)}>
        {mayAnswer && <Segments label={words.work.modes.label} choices={MODES} value={mode} onChange={setMode} />}
        <Link to="../review" className={styles.back}>
          {words.work.back}
        </Link>
      </PageHeader>
      {mode === 'answer' && <Work key={queueId} datasetId={datasetId} queue={queue} />}
      {mode === 'check' && <Check datasetId={datasetId} queue={queue} />}
      {mode === 'figures' && <Figures datasetId={datasetId} queue={queue} />}
    </>
  );
}

interface ModeProps {
  readonly datasetId: string;
  readonly queue: Queue;
}

function Work({ datasetId, queue }: ModeProps) {
  const { waiting, isFinished, isLoaded, error, refetch, decide, takeBack } = useWork(datasetId, queue.id);
  const [item] = waiting;
  useQuestionKeys({ takeBack });
  if (queue.paused) return <EmptyState icon="stop" title={words.work.pausedTitle} text="" />;
  if (item === undefined) {
    if (error !== null || !isLoaded)
      return <Pending of={{ data: undefined, error, refetch }} height={240} margin={24} />;
    const title = isFinished ? words.work.finishedTitle : words.work.waitingTitle;
    const text = isFinished ? words.work.finishedText : words.work.waitingText;
    return (
      <EmptyState icon={isFinished ? 'check' : 'clock'} {...{ title, text }}>
        <TakeBack onPress={takeBack} />
      </EmptyState>
    );
  }
  return (
    <Shown {...{ datasetId, item }} queueId={queue.id}>
      {(annotations) => (
        <QuestionPanel
          key={item.item_id}
          {...{ item, annotations }}
          question={queue.question}
          onDecide={(given) => decide(item, given)}
          onTakeBack={takeBack}
        />
      )}
    </Shown>
  );
}

function Check({ datasetId, queue }: ModeProps) {
  const toCheck = useToCheck(datasetId, queue.id);
  const check = useCheck(datasetId, queue.id);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  if (toCheck.data === undefined) return <Pending of={toCheck} height={240} margin={24} />;
  const item = toCheck.data.find(({ item_id: id }) => !gone.has(id));
  if (item === undefined)
    return <EmptyState icon="check" title={words.work.nothingToCheckTitle} text={words.work.nothingToCheckText} />;
  return (
    <Shown {...{ datasetId, item }} queueId={queue.id}>
      {() => (
        <CheckPanel
          key={item.item_id}
          item={item}
          onCheck={(given) => {
            const { item_id: id } = item;
            setGone((before) => new Set([...before, id]));
            check.mutateAsync({ item, ...given }).then(
              // It may come back with another answer.
              () => setGone((before) => new Set([...before].filter((each) => each !== id))),
              () => undefined,
            );
          }}
        />
      )}
    </Shown>
  );
}

/** The picture of an item; of an annotation, with its shape alone. */
function Shown({
  datasetId,
  queueId,
  item,
  children,
}: {
  readonly datasetId: string;
  readonly queueId: string;
  readonly item: Item;
  readonly children: (annotations: ReturnType<typeof useAnnotations>) => React.ReactNode;
}) {
  const { data: media, error, refetch } = useQuery(mediaQuery(datasetId, item.media_id));
  const all = useAnnotations(datasetId, media, undefined);
  const { annotation_id: annotationId } = item;
  const annotations =
    annotationId === null ? all : { ...all, shown: all.all.filter(({ id }) => id === annotationId), between: [] };
  return (
    <div className={styles.work}>
      <div className={styles.stage} role="region" aria-label={words.work.picture}>
        {error !== null && media === undefined && <Failure error={error} onRetry={() => void refetch()} />}
        {media !== undefined && (
          <MediaStage
            key={item.item_id}
            {...{ datasetId, media, annotations }}
            snapshotId={undefined}
            editMode={null}
            layers={LAYERS}
            seek={null}
            words={[]}
          />
        )}
      </div>
      <aside className={styles.side} aria-label={words.work.title}>
        {children(annotations)}
        {/* A key of its own: the panel before it has the id of the item. */}
        <Comments key={`comments ${item.item_id}`} {...{ datasetId, queueId }} itemId={item.item_id} />
        {media !== undefined && (
          <p className={styles.file} dir="auto">
            {media.file_name}
          </p>
        )}
      </aside>
      <MediaOverlay datasetId={datasetId} sequence={[item.media_id]} />
    </div>
  );
}
