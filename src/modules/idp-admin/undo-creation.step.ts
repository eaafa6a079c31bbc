import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { UserRepository } from '../workspaces';
import type { ProviderUser } from './domain/provider-user';
import { MAX_CREATION_MS, isCreatedUser, type UserCreation } from './domain/user-creation';
import { AbsentIdentityProvider, IdentityProvider } from './identity-provider';
import { UserCreationRepository } from './persistence/user-creation.repository';

const PAGE = 100;
const MINUTE_MS = 60 * 1000;

/** Deletes at the provider a user whose creation was not finished here. */
@Injectable()
export class UndoCreationStep {
  constructor(
    private readonly creations: UserCreationRepository,
    private readonly provider: IdentityProvider,
    private readonly users: UserRepository,
  ) {}

  /** Returns whether a user was deleted. The caller deletes the record of the creation. */
  async run(creation: UserCreation, known?: ProviderUser): Promise<boolean> {
    if (!(await this.creations.beginUndoing(creation.id)) && known === undefined) return false;
    const made = known ?? (await this.findMade(creation));
    if (made === undefined || (await this.users.findBySubject(made.id)) !== undefined) return false;
    await this.provider.delete(made.id);
    return true;
  }

  private async findMade(creation: UserCreation): Promise<ProviderUser | undefined> {
    for (let first = 0; ; first += PAGE) {
      const { users, total } = await this.provider.list({ search: creation.username, first, max: PAGE });
      const made = users.find((user) => isCreatedUser(creation, user));
      if (made !== undefined || users.length === 0 || first + PAGE >= total) return made;
    }
  }
}

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
