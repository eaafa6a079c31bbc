import { connection } from '../../api/connection-state';
import { queries, service } from '../../api/client';
import { keys } from '../../api/keys';

const NAME = 'dms.notifications';
/** A page that was hidden for this long needs no stream. */
const HIDDEN_MS = 5 * 60_000;
/** Notifications of a batch come together. */
const GATHER_MS = 150;
const TRY_AGAIN_MS = 30_000;

/**
 * Keeps what is known of notifications up to date in every tab by one stream for the whole browser: the tab with the lock
 * reads it and tells the others. Without locks, which browsers offer over HTTPS and on localhost only, each tab reads its own.
 */
class NotificationFeed {
  private readonly channel = new BroadcastChannel(NAME);
  private running: AbortController | undefined;
  private hiding: ReturnType<typeof setTimeout> | undefined;
  private gathering: ReturnType<typeof setTimeout> | undefined;
  private readonly changed = new Set<string>();

  /** Until the returned function is called. */
  open(): () => void {
    const { channel } = this;
    channel.onmessage = ({ data }: MessageEvent<string>) => this.refresh(data);
    document.addEventListener('visibilitychange', this.follow);
    const unsubscribe = connection.subscribe(this.follow);
    this.follow();
    return () => {
      channel.onmessage = null;
      document.removeEventListener('visibilitychange', this.follow);
      unsubscribe();
      clearTimeout(this.hiding);
      this.stop();
    };
  }

  /** Something was read here, or has arrived; `datasetId` may be empty. */
  tell(datasetId = ''): void {
    this.channel.postMessage(datasetId);
    this.refresh(datasetId);
  }

  private readonly follow = (): void => {
    clearTimeout(this.hiding);
    if (connection.read() === 'signed-out') this.stop();
    else if (document.visibilityState === 'visible') this.start();
    else this.hiding = setTimeout(() => this.stop(), HIDDEN_MS);
  };

  private start(): void {
    if (this.running !== undefined) return;
    const running = new AbortController();
    this.running = running;
    void this.takeTurn(running.signal)
      .catch(() => undefined)
      .then(() => {
        if (running.signal.aborted) return;
        // The service refused, for example because access was taken away; it may be given again.
        this.running = undefined;
        setTimeout(this.follow, TRY_AGAIN_MS);
      });
  }

  private stop(): void {
    this.running?.abort();
    this.running = undefined;
  }

  private takeTurn(signal: AbortSignal): Promise<void> {
    // Not there over plain HTTP, whatever its type says.
    const locks = navigator.locks as LockManager | undefined;
    return locks === undefined ? this.read(signal) : locks.request(NAME, { signal }, () => this.read(signal));
  }

  private async read(signal: AbortSignal): Promise<void> {
    // Notifications that came while no stream was open are found by asking again.
    for await (const { dataset_id: datasetId } of service.stream({ signal, onOpen: () => this.tell() }))
      this.tell(datasetId ?? '');
  }

  private refresh(datasetId: string): void {
    if (datasetId !== '') this.changed.add(datasetId);
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      void queries.invalidateQueries({ queryKey: keys.notifications });
      for (const id of this.changed)
        for (const part of ['views', 'review'] as const)
          void queries.invalidateQueries({ queryKey: keys.of(id, part) });
      this.changed.clear();
    }, GATHER_MS);
  }
}

export const notificationFeed = new NotificationFeed();
