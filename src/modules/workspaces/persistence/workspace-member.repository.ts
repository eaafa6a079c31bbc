import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import { WorkspaceMemberEntity } from './workspace-member.entity';
import { WorkspaceEntity } from './workspace.entity';

export interface Membership {
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: WorkspaceRoleName;
  readonly createdAt: Date;
}

/** Members of workspaces and their roles. Changes of roles must lock the workspace first. */
@Injectable()
export class WorkspaceMemberRepository {
  constructor(
    @InjectRepository(WorkspaceMemberEntity) private readonly members: Repository<WorkspaceMemberEntity>,
    @InjectRepository(WorkspaceEntity) private readonly workspaces: Repository<WorkspaceEntity>,
  ) {}

  /** Locks the workspace against other role changes until the transaction ends. Returns whether it exists. */
  async lock(workspaceId: string): Promise<boolean> {
    const query = this.workspaces.createQueryBuilder('workspace');
    return (await query.setLock('pessimistic_write').where({ id: workspaceId }).getOne()) !== null;
  }

  /** Ordered by the time of joining. */
  listOfWorkspace(workspaceId: string): Promise<Membership[]> {
    return this.members.find({ where: { workspaceId }, order: { createdAt: 'ASC', userId: 'ASC' } });
  }

  /** Ordered by the time of joining: the first is the user's primary workspace. */
  listOfUser(userId: string): Promise<Membership[]> {
    return this.members.find({ where: { userId }, order: { createdAt: 'ASC', workspaceId: 'ASC' } });
  }

  async insert(membership: Membership): Promise<void> {
    await this.members.insert(membership);
  }

  async setRole(workspaceId: string, userId: string, role: WorkspaceRoleName): Promise<void> {
    await this.members.update({ workspaceId, userId }, { role });
  }

  async deleteOfUser(userId: string): Promise<void> {
    await this.members.delete({ userId });
  }
}
