import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Injectable, Inject } from '@nestjs/common';
import { type StreamScope, TooManyStreamsError } from './domain/notification';
import { DatasetReader } from '../datasets';
import { WorkspaceMemberReader } from '../workspaces';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { Settings } from '../settings';

/** Limits the open streams of each user in this process. With AUTH_MODE=none there is no limit, for all callers are one user. */
@Injectable()
export class StreamLimit {
  private readonly open = new Map<string, number>();

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly settings: Settings,
  ) {}

  /** Counts a stream until its response is closed. */
  acquire(userId: string, response: ServerResponse): void {
    if (response.destroyed) return;
    const open = this.open.get(userId) ?? 0;
    const most = this.settings.number('MAX_STREAMS_PER_USER');
    if (this.configuration.oidc !== null && most > 0 && open >= most) throw new TooManyStreamsError(most);
    this.open.set(userId, open + 1);
    response.once('close', () => this.release(userId));
  }

  private release(userId: string): void {
    const left = this.open.get(userId)! - 1;
    if (left === 0) this.open.delete(userId);
    else this.open.set(userId, left);
  }
}

@Injectable()
export class StreamAccess {
  constructor(
    private readonly members: WorkspaceMemberReader,
    private readonly datasets: DatasetReader,
  ) {}

  /** Decided by the user's current access. */
  async isGranted({ workspaceId, userId, datasetId }: StreamScope): Promise<boolean> {
    const person = await this.members.find(workspaceId, userId);
    if (person === undefined) return false;
    return datasetId === undefined || (await this.datasets.roleOn(person, datasetId)) !== undefined;
  }
}

/** A client with more unsent data than this is disconnected. */
const MOST_BYTES_WAITING = 2 ** 20;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/** One open connection of server-sent events. */
export class NotificationStream {
  /** Position of the last notification sent. */
  position = 0;
  /** False while missed notifications are being sent. */
  isLive = false;

  constructor(
    readonly scope: StreamScope,
    private readonly response: ServerResponse,
    /** Whether the credentials that opened the stream are still valid. */
    readonly isStillValid: () => Promise<boolean> = () => Promise.resolve(true),
  ) {}

  begin(onClose: () => void): void {
    this.response.once('close', onClose);
    // The client must see the end of the stream as the end of the connection.
    this.response.shouldKeepAlive = false;
    this.response.writeHead(200, HEADERS);
    this.response.flushHeaders();
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed;
  }

  write(events: Buffer): void {
    if (!this.isOpen) return;
    if (this.response.writableLength > MOST_BYTES_WAITING) this.response.destroy();
    else this.response.write(events);
  }

  /** Waits until the client has read most of what was written, or has left. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.response.writableNeedDrain) return;
    const disconnected = new AbortController();
    const { signal } = disconnected;
    await Promise.race([once(this.response, 'drain', { signal }), once(this.response, 'close', { signal })]);
    disconnected.abort();
  }

  end(): void {
    if (this.isOpen) this.response.end();
  }
}
