import { Injectable, Inject } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import type { Principal } from '../../common/platform/http/principal';
import {
  MemberNotFoundError,
  WorkspaceMemberRepository,
  WorkspaceNotFoundError,
  localAdmin,
  UserRepository,
  type Membership,
} from '../workspaces';
import { NoLongerAdminError, OwnRoleError, ADMIN_REALM_ROLES } from './domain/provider-user';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { AuditLog } from '../audit';
import { Sessions } from '../auth';
import { DatasetOwnership } from '../datasets';
import type { Wanted } from './domain/provider-work';
import { planRoleChange, type RoleChange, type RoleChangePlan } from './domain/role-change';
import { ProviderWork } from './provider-work';

/** Gives a member a role, with all consequences. Runs in a transaction that has locked the workspace. */
@Injectable()
export class ChangeRoleStep {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
    private readonly ownership: DatasetOwnership,
    private readonly sessions: Sessions,
    private readonly providerWork: ProviderWork,
    private readonly audit: AuditLog,
  ) {}

  /** Without the local admin. */
  async people(workspaceId: string): Promise<Membership[]> {
    const members = await this.members.listOfWorkspace(workspaceId);
    return members.filter(({ userId }) => userId !== localAdmin().userId);
  }

  async run(workspaceId: string, change: RoleChange, by: Principal): Promise<void> {
    const plan = planRoleChange(await this.people(workspaceId), change, this.configuration.singleWorkspace);
    for (const { userId, role } of plan.roles) {
      await this.members.setRole(workspaceId, userId, role);
      await this.audit.recordBy(by, 'workspace_role_changed', userId, { workspace_id: workspaceId, role });
    }
    for (const userId of plan.reduced) {
      await this.ownership.reduceToViewer(userId, workspaceId);
      await this.ownership.transferAll(userId, by.userId, workspaceId);
    }
    for (const userId of new Set([...plan.granted, ...plan.revoked, ...plan.loggedOut]))
      await this.changeIdentity(userId, plan);
  }

  private async changeIdentity(userId: string, plan: RoleChangePlan): Promise<void> {
    const user = await this.users.find(userId);
    const isLoggedOut = plan.loggedOut.includes(userId);
    if (isLoggedOut) await this.sessions.endOfUser(userId);
    if (user === undefined || user.subject === null) return;
    const wanted: Wanted = { ...adminRolesOf(userId, plan), logout: isLoggedOut };
    const others = user.realmRoles.filter((role) => !ADMIN_REALM_ROLES.includes(role));
    if (wanted.adminRoles === 'revoke') await this.users.update(userId, { realmRoles: others });
    await this.providerWork.enqueue(user.subject, wanted);
  }
}

function adminRolesOf(userId: string, { granted, revoked }: RoleChangePlan): Pick<Wanted, 'adminRoles'> {
  if (granted.includes(userId)) return { adminRoles: 'grant' };
  return revoked.includes(userId) ? { adminRoles: 'revoke' } : {};
}

@Injectable()
export class ChangeMemberRoleUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly members: WorkspaceMemberRepository,
    private readonly changeRole: ChangeRoleStep,
  ) {}

  async change(workspaceId: string, userId: string, role: WorkspaceRoleName, by: Principal): Promise<void> {
    if (userId === by.userId) throw new OwnRoleError();
    await this.transactions.run(async () => {
      await this.members.lock(workspaceId);
      // Checked again under the lock: two admins may demote each other at the same time.
      const own = (await this.members.listOfWorkspace(workspaceId)).find((member) => member.userId === by.userId);
      if (own === undefined) throw new WorkspaceNotFoundError();
      if (own.role !== 'admin') throw new NoLongerAdminError();
      const people = await this.changeRole.people(workspaceId);
      if (!people.some((member) => member.userId === userId)) throw new MemberNotFoundError();
      await this.changeRole.run(workspaceId, { userId, role }, by);
    });
  }
}
