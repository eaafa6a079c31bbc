import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { StoreIdentity } from '../../common/platform/installation/store-identity';
import { EvaluationFiles } from '../versions';
import { EvaluationRepository } from './persistence/evaluation.repository';

const HOUR_MS = 60 * 60 * 1000;

/** Deletes files of outcomes that no evaluation has, or has any more. */
@Injectable()
export class EvaluationSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly files: EvaluationFiles,
    private readonly evaluations: EvaluationRepository,
    private readonly identity: StoreIdentity,
  ) {}

  @Interval(HOUR_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('evaluations', this);
  }

  async sweep(now: Date): Promise<number> {
    return this.files.removeUnknown(await this.identity.unknownSince(now), (ids) => this.evaluations.filesAmong(ids));
  }
}
