import { useEffect, useState, useSyncExternalStore } from 'react';
import { queries } from '../../api/client';
import { useDatasets } from '../../api/datasets';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { useEvents } from '../../design/events';
import { Progress } from '../../design/state';
import { texts } from '../../texts';
import { hideLeftUpload, leftUploads, noteUpload, type LeftUpload } from './left-uploads';
import type { PathFile } from './picked-files';
import { UploadQueue, type UploadState } from './upload-queue';
import type { UploadTarget } from './upload-target';
import styles from './adding.module.css';

/** Uploads outlive the page: they go on while people look at something else. */
let running: readonly UploadQueue[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly UploadQueue[]): void {
  running = next;
  for (const listener of listeners) listener();
}

export function startUpload(target: UploadTarget, files: readonly PathFile[]): void {
  const queue = new UploadQueue((lastId += 1), target, files);
  for (const each of leftUploads()) if (each.kind === target.kind && each.name === target.name) hideLeftUpload(each);
  change([...running, queue]);
  void queue.run();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const { upload: words } = texts.adding;
const MOST_REFUSED_SHOWN = 500;

/** Stands below every page, while there are any. */
export function Uploads() {
  const all = useSyncExternalStore(subscribe, () => running);
  const { data: datasets } = useDatasets();
  const [, setHidden] = useState(0);
  // A draft that was deleted, or uploaded by another tab, has nothing left to send.
  const left = leftUploads().filter(
    ({ kind, name }) =>
      kind !== 'creation' ||
      datasets?.some((each) => each.status_new === 'DRAFT' && each.display_name === name) !== false,
  );
  if (all.length + left.length === 0) return null;
  return (
    <div className={styles.uploads}>
      {left.map((upload, at) => (
        <Left
          key={at}
          upload={upload}
          onHide={() => {
            hideLeftUpload(upload);
            setHidden((times) => times + 1);
          }}
        />
      ))}
      {all.map((queue) => (
        <Upload key={queue.id} queue={queue} />
      ))}
    </div>
  );
}

function noteOf(
  queue: UploadQueue,
  { phase, total, done, totalBytes, sentBytes, notes, failure }: UploadState,
): string {
  const { kind } = queue.target;
  if (phase === 'sending') return words.progress({ total, done, totalBytes, sentBytes });
  if (phase === 'failed') return words.failed(failure ?? '');
  if (phase === 'adding') return words.adding[kind];
  return phase === 'over' ? words.over[kind](notes) : words[phase];
}

/** After all files are sent: the progress of the service. */
const percentOf = ({ phase, totalBytes, sentBytes, changePercent }: UploadState): number =>
  phase === 'adding' && sentBytes === totalBytes ? changePercent : Math.round((100 * sentBytes) / (totalBytes || 1));

/** Reports an upload whose page was left, and how to continue. */
function Left({
  upload: { kind, name, done, total },
  onHide,
}: {
  readonly upload: LeftUpload;
  readonly onHide: () => void;
}) {
  return (
    <section className={styles.upload} aria-label={words.title(name)}>
      <div className={styles.uploadHead}>
        <strong dir="auto">{name}</strong>
        <span role="status" data-failed>
          {words.left[kind](done, total)}
        </span>
        <Button kind="plain" onPress={onHide}>
          {words.hide}
        </Button>
      </div>
    </section>
  );
}

/** The browser's warning that unsent files would be lost. If the page is left nevertheless, the next page of this tab reports it. */
function useQuestionBeforeLeaving(queue: UploadQueue, { phase, done, total, totalBytes, sentBytes }: UploadState) {
  const { id, target } = queue;
  const isAsked = phase !== 'failed' && phase !== 'over' && (phase !== 'adding' || sentBytes < totalBytes);
  useEffect(() => {
    noteUpload(id, isAsked ? { kind: target.kind, name: target.name, done, total } : null);
  }, [isAsked, id, target, done, total]);
  useEvents(isAsked ? window : null, { beforeunload: (event) => event.preventDefault() });
}

function Upload({ queue }: { readonly queue: UploadQueue }) {
  const state = useSyncExternalStore(queue.subscribe, queue.read);
  const [showsRefused, setShowsRefused] = useState(false);
  const { phase, refused } = state;
  const { name } = queue.target;
  useEffect(() => {
    if (phase !== 'adding' && phase !== 'over') return;
    // Also refreshes the pages of its dataset.
    for (const queryKey of [keys.datasets, keys.tasks, keys.allDatasets]) void queries.invalidateQueries({ queryKey });
  }, [phase]);
  const isOver = phase === 'failed' || phase === 'over';
  useQuestionBeforeLeaving(queue, state);
  return (
    <section className={styles.upload} aria-label={words.title(name)}>
      <div className={styles.uploadHead}>
        <strong dir="auto">{name}</strong>
        <span role="status" data-failed={phase === 'failed'}>
          {noteOf(queue, state)}
        </span>
        {refused.length > 0 && state.total > 1 && (
          <Button kind="plain" aria-expanded={showsRefused} onPress={() => setShowsRefused(!showsRefused)}>
            {words.refused(refused.length)}
          </Button>
        )}
        {phase === 'failed' && refused.length < state.total && (
          <Button onPress={() => void queue.run()}>{words.retry}</Button>
        )}
        {isOver && (
          <Button kind="plain" onPress={() => change(running.filter((each) => each !== queue))}>
            {words.hide}
          </Button>
        )}
      </div>
      {!isOver && <Progress label={words.title(name)} percent={percentOf(state)} />}
      {queue.target.kind === 'annotation' && state.notes.length > 0 && (
        <ul className={styles.refused}>
          {state.notes.map((note) => (
            <li key={note} dir="auto">
              {note}
            </li>
          ))}
        </ul>
      )}
      {showsRefused && <Refused all={refused} />}
    </section>
  );
}

function Refused({ all }: { readonly all: UploadState['refused'] }) {
  return (
    <ul className={styles.refused}>
      {all.slice(0, MOST_REFUSED_SHOWN).map(({ path, reason }) => (
        <li key={path}>
          <bdi>{path}</bdi> <span>{reason}</span>
        </li>
      ))}
      {all.length > MOST_REFUSED_SHOWN && <li>{words.moreRefused(all.length - MOST_REFUSED_SHOWN)}</li>}
    </ul>
  );
}
