import { useState } from 'react';
import type { Task } from 'dataset-media-service-sdk';
import { Link } from 'react-router';
import { useMayChange } from '../../api/datasets';
import { Button } from '../../design/button';
import { Chip, Progress, type Tone } from '../../design/state';
import { unreadableFiles } from '../../media/not-ready';
import { texts } from '../../texts';
import { formatDuration, formatShortTime, formatTime } from '../../texts/format';
import { AbortDialog, RetryDialog } from './task-dialogs';
import { useDuration } from './task-queries';
import { abortableType, isRetryable, isRunning, waitingOf } from './task-rules';
import styles from './tasks.module.css';

const { tasks: words } = texts;

const TONES: Readonly<Record<Task['status'], Tone>> = {
  INITIALIZING: 'plain',
  RUNNING: 'busy',
  COMPLETED: 'ok',
  FAILED: 'bad',
  ABORTED: 'plain',
};

export function TaskRow({ task, showsDataset }: { readonly task: Task; readonly showsDataset: boolean }) {
  const { task_type: type, status, dataset_id: datasetId, dataset_name: dataset, created_by: who } = task;
  const duration = useDuration(task);
  const percent = task.progress_percentage ?? 0;
  return (
    <li className={styles.row}>
      <div className={styles.status}>
        <Chip tone={TONES[status]}>{words.statuses[status]}</Chip>
      </div>
      <div className={styles.what}>
        <p className={styles.name}>
          <strong>{words.types[type]}</strong>
          {showsDataset && (
            <Link to={`/datasets/${datasetId}`} dir="auto" title={dataset}>
              {dataset}
            </Link>
          )}
        </p>
        <Message task={task} />
        {isRunning(task) && (
          <div className={styles.progress}>
            <Progress label={words.progress(words.types[type], percent)} percent={percent} />
            <span aria-hidden="true">{words.percent(percent)}</span>
          </div>
        )}
      </div>
      <p className={styles.when}>
        <time dateTime={`${task.start_time}Z`} title={words.started(formatTime(task.start_time))}>
          {formatShortTime(task.start_time)}
        </time>
        <span dir="auto" title={who}>
          {who}
        </span>
      </p>
      <p className={styles.duration}>
        <span className="visually-hidden">{words.duration} </span>
        {formatDuration(duration)}
      </p>
      <Actions task={task} />
    </li>
  );
}

/** The state of a task, the reason of a wait or failure, links to its results, and its warnings. */
function Message({ task }: { readonly task: Task }) {
  const { status_message: message, error_message: error, warnings, quarantined_count: unreadable } = task;
  const { task_type: type, status, dataset_id: datasetId } = task;
  const waiting = isRunning(task) ? waitingOf(message) : undefined;
  return (
    <>
      {waiting !== undefined && (
        <p className={styles.waiting}>{words.waiting(waiting.what, formatShortTime(waiting.since))}</p>
      )}
      {isRunning(task) && waiting === undefined && message !== '' && <p className={styles.message}>{message}</p>}
      {error !== null && error !== '' && (
        <p className={styles.error} dir="auto">
          {error}
        </p>
      )}
      {type === 'ENRICHMENT' && status === 'COMPLETED' && (
        <p className={styles.message}>
          <Link className={styles.link} to={`/datasets/${datasetId}/enrich`}>
            {words.enriched}
          </Link>
        </p>
      )}
      {unreadable > 0 && (
        <p className={styles.message}>
          <Link className={styles.link} to={unreadableFiles(datasetId)}>
            {words.unreadable(unreadable)}
          </Link>
        </p>
      )}
      {warnings.length > 0 && (
        <details className={styles.warnings}>
          <summary>{words.warnings(warnings.length)}</summary>
          <ul>
            {warnings.map((warning, at) => (
              <li key={at} dir="auto">
                {warning}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Actions({ task }: { readonly task: Task }) {
  const [open, setOpen] = useState<'abort' | 'retry' | null>(null);
  const mayChange = useMayChange(task.dataset_id);
  const abortable = abortableType(task);
  const name = words.types[task.task_type];
  const close = () => setOpen(null);
  return (
    <div className={styles.actions}>
      {mayChange && abortable !== undefined && (
        <Button icon="stop" aria-label={words.abort.of(name)} onPress={() => setOpen('abort')}>
          {words.abort.action}
        </Button>
      )}
      {mayChange && isRetryable(task) && (
        <Button icon="again" aria-label={words.retry.of(name)} onPress={() => setOpen('retry')}>
          {words.retry.action}
        </Button>
      )}
      {open === 'abort' && abortable !== undefined && <AbortDialog task={task} type={abortable} onClose={close} />}
      {open === 'retry' && <RetryDialog task={task} onClose={close} />}
    </div>
  );
}
