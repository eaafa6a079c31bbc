import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ChannelListener } from '../../common/platform/database/channel-listener';
import { type Notification, isWithin, scopeKey } from './domain/notification';
import { ERROR_EVENT, eventsOf, PING_EVENT } from './http/notification.presenter';
import { type NotificationStream, StreamAccess } from './notification-stream';
import { CHANNEL, NotificationRepository } from './persistence/notification.repository';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';

export const STREAM_POLL_MS = Symbol('StreamPollMs');

const MOST_ROWS = 500;
/** Writing to this many streams takes a few milliseconds; then the event loop gets a turn. */
const STREAMS_A_TURN = 50;

/** Sends new notifications to all streams of this process. They are read once for all, on NOTIFY and every few seconds. */
@Injectable()
export class NotificationHub implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NotificationHub.name);
  private readonly streams = new Set<NotificationStream>();
  /** Position of the last notification sent to live streams; undefined while there are no streams. */
  private position: number | undefined;
  private isDue = false;
  private isDelivering = false;
  private isTicking = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly notifications: NotificationRepository,
    private readonly listener: ChannelListener,
    private readonly access: StreamAccess,
    @Inject(STREAM_POLL_MS) private readonly pollMs: number,
  ) {}

  get openStreams(): number {
    return this.streams.size;
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      void this.broadcast(PING_EVENT);
      void this.tick();
    }, this.pollMs);
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const stream of this.streams) stream.end();
  }

  /** Sends new notifications, and those missed since `lastEventId`. */
  async add(stream: NotificationStream, lastEventId: string | undefined): Promise<void> {
    const { userId } = stream.scope;
    const seen = lastEventId === undefined ? undefined : await this.notifications.positionOf(userId, lastEventId);
    stream.position = seen ?? (await this.notifications.lastPosition());
    // A connection that was closed meanwhile emits no `close` any more.
    if (!stream.isOpen) return;
    stream.begin(() => this.streams.delete(stream));
    this.streams.add(stream);
    if (this.isClosed) {
      stream.end();
      return;
    }
    await this.listener.subscribe(CHANNEL, () => this.wake());
    await this.catchUp(stream);
  }

  private async catchUp(stream: NotificationStream): Promise<void> {
    while (stream.isOpen) {
      try {
        if (await this.catchUpOnce(stream)) return;
      } catch (error) {
        this.warn(error);
        stream.write(ERROR_EVENT);
        await this.nextPoll();
      }
    }
  }

  /** Returns whether the stream has caught up and is live. */
  private async catchUpOnce(stream: NotificationStream): Promise<boolean> {
    if (this.position === undefined) {
      const last = await this.notifications.lastPosition();
      this.position ??= last;
    }
    const before = this.position;
    const missed = await this.notifications.after(stream.position, MOST_ROWS, stream.scope);
    if (missed.length > 0) {
      stream.position = missed.at(-1)!.position;
      stream.write(eventsOf(missed));
      await stream.drained();
      return false;
    }
    // Notifications sent to the live streams during this read are still missing here.
    stream.isLive = this.position === before;
    return stream.isLive;
  }

  private async tick(): Promise<void> {
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      if (this.streams.size === 0) this.position = undefined;
      else {
        await this.listener.subscribe(CHANNEL, () => this.wake());
        this.wake();
        await this.endStreamsWithoutAccess();
      }
    } catch (error) {
      this.warn(error);
    } finally {
      this.isTicking = false;
    }
  }

  private async endStreamsWithoutAccess(): Promise<void> {
    const answers = new Map<string, Promise<boolean>>();
    for (const stream of this.streams) {
      const key = scopeKey(stream.scope);
      let granted = answers.get(key);
      if (granted === undefined) {
        granted = this.access.isGranted(stream.scope);
        answers.set(key, granted);
      }
      if (!(await granted) || !(await stream.isStillValid())) stream.end();
    }
  }

  private wake(): void {
    this.isDue = true;
    if (!this.isDelivering) void this.deliverWhileDue();
  }

  private async deliverWhileDue(): Promise<void> {
    this.isDelivering = true;
    while (this.isDue && !this.isClosed) {
      this.isDue = false;
      try {
        await this.deliverNew();
      } catch (error) {
        this.warn(error);
        await this.broadcast(ERROR_EVENT);
      }
    }
    this.isDelivering = false;
  }

  private async deliverNew(): Promise<void> {
    while (this.position !== undefined && this.streams.size > 0) {
      const news = await this.notifications.after(this.position, MOST_ROWS);
      if (news.length === 0) return;
      this.position = news.at(-1)!.position;
      await this.send(news);
    }
  }

  private async send(news: readonly Notification[]): Promise<void> {
    const written = new Map<string, Buffer>();
    await this.forEachStream((stream) => {
      if (!stream.isLive) return;
      const missing = news.filter((each) => each.position > stream.position);
      const key = `${scopeKey(stream.scope)}/${missing.length}`;
      let events = written.get(key);
      if (events === undefined) {
        events = eventsOf(missing.filter((each) => isWithin(stream.scope, each)));
        written.set(key, events);
      }
      stream.position = Math.max(stream.position, news.at(-1)!.position);
      if (events.length > 0) stream.write(events);
    });
  }

  private broadcast(event: Buffer): Promise<void> {
    return this.forEachStream((stream) => stream.write(event));
  }

  private async forEachStream(act: (stream: NotificationStream) => void): Promise<void> {
    let done = 0;
    for (const stream of this.streams) {
      act(stream);
      if (++done % STREAMS_A_TURN === 0) await setImmediate();
    }
  }

  private nextPoll(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.pollMs).unref());
  }

  private warn(error: unknown): void {
    if (outageOf(error) === undefined) this.logger.warn(`Notifications could not be read: ${errorMessage(error)}`);
  }
}
