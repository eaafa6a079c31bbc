import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import type { Principal } from '../../common/platform/http/principal';
import { Sessions } from '../auth';
import { DatasetOwnership } from '../datasets';
import { UserRepository, WorkspaceMemberRepository, type User } from '../workspaces';
import { ChangeRoleStep } from './change-role.step';
import { hasOtherAdmin } from './domain/role-change';
import { LastAdminError } from './domain/provider-user';
import { UserAuthority } from './user-authority';
import type { Identity } from './user-identities';

/** Takes a user's datasets, memberships and sessions away, in the transaction of a deletion. */
@Injectable()
export class RemoveUserStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly authority: UserAuthority,
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
    private readonly ownership: DatasetOwnership,
    private readonly sessions: Sessions,
    private readonly roles: ChangeRoleStep,
  ) {}

  async run(identity: Identity, user: User, by: Principal): Promise<void> {
    const memberships = await this.members.listOfUser(user.id);
    for (const workspaceId of memberships.map((each) => each.workspaceId).sort()) {
      await this.members.lock(workspaceId);
      await this.assertNotLastAdmin(workspaceId, user.id);
    }
    await this.authority.assertNotOutranked(by, identity);
    await this.ownership.transferAll(user.id, by.userId);
    await this.members.deleteOfUser(user.id);
    await this.users.update(user.id, { enabled: false });
    await this.sessions.endOfUser(user.id);
  }

  private async assertNotLastAdmin(workspaceId: string, userId: string): Promise<void> {
    if (!this.configuration.singleWorkspace) return;
    const people = await this.roles.people(workspaceId);
    const isAdmin = people.some((member) => member.userId === userId && member.role === 'admin');
    if (isAdmin && !hasOtherAdmin(people, userId)) throw new LastAdminError();
  }
}
