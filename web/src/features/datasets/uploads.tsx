import { useEffect, useState, useSyncExternalStore } from 'react';
import { queries } from '../../api/client';
import { keys } from '../../api/keys';
import { Button } from '../../design/button';
import { Progress } from '../../design/state';
import { texts } from '../../texts';
import { UploadQueue, type PathFile } from './upload-queue';
import styles from './datasets.module.css';

/** Uploads outlive the page: they go on while people look at something else. */
let running: readonly UploadQueue[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly UploadQueue[]): void {
  running = next;
  for (const listener of listeners) listener();
}

export function startUpload(name: string, files: readonly PathFile[]): void {
  const queue = new UploadQueue((lastId += 1), name, files);
  change([...running, queue]);
  void queue.run();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Uploads() {
  const all = useSyncExternalStore(subscribe, () => running);
  return all.map((queue) => <Upload key={queue.id} queue={queue} />);
}

function Upload({ queue }: { readonly queue: UploadQueue }) {
  const { name, total, done, refused, phase, failure } = useSyncExternalStore(queue.subscribe, queue.read);
  const [showsRefused, setShowsRefused] = useState(false);
  useEffect(() => {
    if (phase === 'indexing') void queries.invalidateQueries({ queryKey: keys.datasets });
  }, [phase]);
  const { upload } = texts.datasets;
  const notes = {
    sending: upload.progress(done, total),
    waiting: upload.waiting,
    'signed-out': upload.signedOut,
    indexing: upload.indexing,
    failed: upload.failed(failure ?? ''),
  };
  const isOver = phase === 'failed' || phase === 'indexing';
  return (
    <section className={styles.upload} aria-label={upload.title(name)}>
      <div className={styles.uploadHead}>
        <strong dir="auto">{name}</strong>
        <span role="status">{notes[phase]}</span>
        {refused.length > 0 && (
          <Button kind="plain" aria-expanded={showsRefused} onPress={() => setShowsRefused(!showsRefused)}>
            {upload.refused(refused.length)}
          </Button>
        )}
        {phase === 'failed' && <Button onPress={() => void queue.run()}>{upload.retry}</Button>}
        {isOver && (
          <Button kind="plain" onPress={() => change(running.filter((each) => each !== queue))}>
            {upload.hide}
          </Button>
        )}
      </div>
      {!isOver && <Progress label={upload.title(name)} percent={Math.round((100 * done) / total)} />}
      {showsRefused && (
        <ul className={styles.refused}>
          {refused.map(({ path, reason }) => (
            <li key={path}>
              <bdi>{path}</bdi> <span>{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
