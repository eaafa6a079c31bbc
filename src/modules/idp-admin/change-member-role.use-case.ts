import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import type { Principal } from '../../common/platform/http/principal';
import { MemberNotFoundError, WorkspaceMemberRepository, WorkspaceNotFoundError } from '../workspaces';
import { ChangeRoleStep } from './change-role.step';
import { NoLongerAdminError, OwnRoleError } from './domain/provider-user';

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
