import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { ChannelListener } from '../../common/platform/database/channel-listener';
import type { Notification } from './domain/notification';
import { isWithin, scopeKey } from './domain/stream-scope';
import { ERROR_EVENT, eventsOf, PING_EVENT } from './http/stream-events';
import type { NotificationStream } from './notification-stream';
import { CHANNEL, NotificationRepository } from './persistence/notification.repository';
import { errorMessage } from '../../common/platform/errors/error-code';
import { outageOf } from '../../common/platform/outage/outage';
import { StreamAccess } from './stream-access';

export const STREAM_POLL_MS = Symbol('StreamPollMs');

const MOST_ROWS = 500;
/** To write to so many takes a few milliseconds. */
const STREAMS_A_TURN = 50;

/** Hands new notifications to all streams of this process: what is new is read once, when told and every few seconds. */
@Injectable()
export class NotificationHub implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(NotificationHub.name);
  private readonly streams = new Set<NotificationStream>();
  /** All up to this one were handed out; undefined while there is nobody to hand them to. */
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

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      void this.toAll(PING_EVENT);
      void this.tick();
    }, this.pollMs);
  }

  onModuleDestroy(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    for (const stream of this.streams) stream.end();
  }

  /** Sends what comes from now on, or what came after the notification named. */
  async add(stream: NotificationStream, lastEventId: string | undefined): Promise<void> {
    const { userId } = stream.scope;
    const seen = lastEventId === undefined ? undefined : await this.notifications.positionOf(userId, lastEventId);
    stream.position = seen ?? (await this.notifications.lastPosition());
    // Who left meanwhile would never be seen to leave.
    if (!stream.isOpen) return;
    stream.begin(() => this.streams.delete(stream));
    this.streams.add(stream);
    if (this.isClosed) {
      stream.end();
      return;
    }
    await this.listener.ensure(CHANNEL, () => this.wake());
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

  /** Says whether nothing is missing any more, and the stream is live. */
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
      await stream.taken();
      return false;
    }
    // What was handed out to the others while this read went on is missing still.
    stream.isLive = this.position === before;
    return stream.isLive;
  }

  private async tick(): Promise<void> {
    if (this.isTicking) return;
    this.isTicking = true;
    try {
      if (this.streams.size === 0) this.position = undefined;
      else {
        await this.listener.ensure(CHANNEL, () => this.wake());
        this.wake();
        await this.endThoseWithoutAccess();
      }
    } catch (error) {
      this.warn(error);
    } finally {
      this.isTicking = false;
    }
  }

  private async endThoseWithoutAccess(): Promise<void> {
    const answers = new Map<string, Promise<boolean>>();
    for (const stream of this.streams) {
      const key = scopeKey(stream.scope);
      let granted = answers.get(key);
      if (granted === undefined) {
        granted = this.access.isGranted(stream.scope);
        answers.set(key, granted);
      }
      if (!(await granted) || !(await stream.isStillGood())) stream.end();
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
        await this.toAll(ERROR_EVENT);
      }
    }
    this.isDelivering = false;
  }

  private async deliverNew(): Promise<void> {
    while (this.position !== undefined && this.streams.size > 0) {
      const news = await this.notifications.after(this.position, MOST_ROWS);
      if (news.length === 0) return;
      this.position = news.at(-1)!.position;
      await this.handOut(news);
    }
  }

  private async handOut(news: readonly Notification[]): Promise<void> {
    const written = new Map<string, Buffer>();
    await this.each((stream) => {
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

  private toAll(event: Buffer): Promise<void> {
    return this.each((stream) => stream.write(event));
  }

  private async each(act: (stream: NotificationStream) => void): Promise<void> {
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
