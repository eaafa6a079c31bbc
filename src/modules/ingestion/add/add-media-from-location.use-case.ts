import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { BadRequestError, DomainError } from '../../../common/platform/errors/domain-error';
import type { Principal } from '../../../common/platform/http/principal';
import {
  MediaSources,
  RoleRefusedError,
  SourceNotAllowedError,
  SourceNotFoundError,
} from '../../../common/platform/storage/sources/source-files';
import { DatasetReader } from '../../datasets';
import { StartAddition } from './start-addition';
import { type Addition, NoMediaFoundError } from './domain/addition';
import { HomeNotReadableError, type SourceLocation } from '../sources/domain/source-location';
import { UnreadablePlaces } from '../sources/domain/unreadable-places';
import { SourceMedia } from '../sources/source-media';

/** Adds the media of a folder, a bucket or a manifest by reference, after checking that it has any. */
@Injectable()
export class AddMediaFromLocationUseCase {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sources: MediaSources,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly media: SourceMedia,
    private readonly additions: StartAddition,
  ) {}

  async start(
    datasetId: string,
    asked: string,
    role: string | null,
    batch: Omit<Addition, 'source'>,
    caller: Principal,
  ): Promise<void> {
    const location = this.locationOf(asked);
    // Roles apply to buckets only.
    const assumeRole = location.type === 'BUCKET' ? role : null;
    await this.assertHoldsMedia(location.uri, asked, assumeRole);
    const source = { kind: 'location', uri: location.uri, assumeRole } as const;
    await this.transactions.run(async () => {
      await this.additions.start(await this.datasets.lock(datasetId), { ...batch, source }, caller);
    });
  }

  private locationOf(asked: string): SourceLocation {
    const location = this.parsed(asked);
    if (location.type === 'LOCAL_FOLDER' && this.configuration.runMode === 'CLOUD')
      throw new NoMediaFoundError(asked, 'local paths are only available in self-hosted installations');
    return location;
  }

  private parsed(asked: string): SourceLocation {
    try {
      return this.media.locationOf(asked);
    } catch (error) {
      if (error instanceof HomeNotReadableError) throw new NoMediaFoundError(asked, error.message);
      if (error instanceof BadRequestError) throw new NoMediaFoundError(asked);
      throw error;
    }
  }

  private async assertHoldsMedia(uri: string, asked: string, role: string | null): Promise<void> {
    const unreadable = new UnreadablePlaces();
    let found: boolean;
    try {
      if (role !== null) await this.sources.assumeRole(role);
      found = await this.media.holdsMedia(uri, unreadable, role);
    } catch (error) {
      if (error instanceof RoleRefusedError) throw new BadRequestError(error.message);
      const isRefused =
        error instanceof SourceNotFoundError || error instanceof SourceNotAllowedError || error instanceof DomainError;
      throw isRefused ? new NoMediaFoundError(asked, error.message) : error;
    }
    const [reason] = unreadable.sentences();
    if (!found) throw new NoMediaFoundError(asked, reason);
  }
}
