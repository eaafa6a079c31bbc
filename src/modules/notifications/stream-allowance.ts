import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { Settings } from '../settings';
import { TooManyStreamsError } from './domain/notification-errors';

/** How many streams each user has open at this process; where everybody is the same local admin there is no limit. */
@Injectable()
export class StreamAllowance {
  private readonly open = new Map<string, number>();

  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly settings: Settings,
  ) {}

  /** Until the response is over. */
  take(userId: string, response: ServerResponse): void {
    if (response.destroyed) return;
    const open = this.open.get(userId) ?? 0;
    const most = this.settings.number('MAX_STREAMS_PER_USER');
    if (this.configuration.oidc !== null && most > 0 && open >= most) throw new TooManyStreamsError(most);
    this.open.set(userId, open + 1);
    response.once('close', () => this.give(userId));
  }

  private give(userId: string): void {
    const left = this.open.get(userId)! - 1;
    if (left === 0) this.open.delete(userId);
    else this.open.set(userId, left);
  }
}
