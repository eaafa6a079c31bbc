import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { AbsentIdentityProvider } from './absent-identity-provider';
import { MAX_CREATION_MS } from './domain/user-creation';
import { IdentityProvider } from './identity-provider';
import { UserCreationRepository } from './persistence/user-creation.repository';
import { UndoCreationStep } from './undo-creation.step';

const MINUTE_MS = 60 * 1000;

/** Undoes creations of users that were interrupted. */
@Injectable()
export class UserCreationSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly provider: IdentityProvider,
    private readonly creations: UserCreationRepository,
    private readonly undoCreation: UndoCreationStep,
  ) {}

  @Interval(MINUTE_MS)
  async frequent(): Promise<void> {
    if (this.provider instanceof AbsentIdentityProvider) return;
    await this.sweeps.run('user creations', this);
  }

  async sweep(now: Date): Promise<number> {
    let removed = 0;
    for (const creation of await this.creations.listStartedBefore(new Date(now.getTime() - MAX_CREATION_MS))) {
      if (await this.undoCreation.run(creation)) removed += 1;
      await this.creations.delete(creation.id);
    }
    return removed;
  }
}
