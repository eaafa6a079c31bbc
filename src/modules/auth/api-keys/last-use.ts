import { Injectable, Logger } from '@nestjs/common';
import type { ApiKey } from './domain/api-key';
import { errorMessage } from '../../../common/platform/errors/error-code';
import { outageOf } from '../../../common/platform/outage/outage';
import { Renewals } from '../renewals';
import { ApiKeyRepository } from './persistence/api-key.repository';

const WRITE_INTERVAL_MS = 60_000;

/** Saves when a key was last used, to the minute, without delaying requests. */
@Injectable()
export class LastUse {
  private readonly logger = new Logger(LastUse.name);
  private readonly writing = new Set<string>();

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly renewals: Renewals,
  ) {}

  note({ apiKey, userId, lastUsedAt }: ApiKey): void {
    const now = new Date();
    if (lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < WRITE_INTERVAL_MS) return;
    if (this.writing.has(apiKey)) return;
    this.writing.add(apiKey);
    this.renewals.note(userId);
    void this.write(apiKey, now);
  }

  private async write(apiKey: string, now: Date): Promise<void> {
    try {
      await this.keys.setLastUsed(apiKey, now);
    } catch (error) {
      if (outageOf(error) === undefined)
        this.logger.warn(`The last use of an API key could not be saved: ${errorMessage(error)}`);
    } finally {
      this.writing.delete(apiKey);
    }
  }
}
