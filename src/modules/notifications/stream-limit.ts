import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { Settings } from '../settings';
import { TooManyStreamsError } from './domain/notification-errors';

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
