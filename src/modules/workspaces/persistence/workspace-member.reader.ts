import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/database/transaction-runner';
import type { Principal } from '../../../common/http/principal';
import { UserEntity } from './user.entity';
import { WorkspaceMemberEntity } from './workspace-member.entity';

/** The people of a workspace, and what each is in it now. */
@Injectable()
export class WorkspaceMemberReader {
  constructor(private readonly transactions: TransactionRunner) {}

  async list(workspaceId: string, userId?: string): Promise<Principal[]> {
    const query = this.transactions
      .current()
      .createQueryBuilder(WorkspaceMemberEntity, 'member')
      .innerJoin(UserEntity, 'person', 'person.id = member.userId')
      .select('person.id', 'userId')
      .addSelect('person.email', 'email')
      .addSelect('person.name', 'name')
      .addSelect('member.role', 'workspaceRole')
      .addSelect('person.realmRoles', 'realmRoles')
      .where({ workspaceId, ...(userId === undefined ? {} : { userId }) })
      .andWhere('person.enabled')
      .orderBy('person.id');
    const rows = await query.getRawMany<Omit<Principal, 'workspaceId'>>();
    return rows.map((row) => ({ ...row, workspaceId }));
  }

  /** Undefined for somebody who is no member any more, or kept out. */
  async find(workspaceId: string, userId: string): Promise<Principal | undefined> {
    return (await this.list(workspaceId, userId))[0];
  }
}
