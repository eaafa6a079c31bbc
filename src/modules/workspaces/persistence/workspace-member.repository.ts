import { Injectable, Inject } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { WorkspaceRoleName } from '../../../common/platform/http/access';
import { WorkspaceMemberEntity, WorkspaceEntity, UserEntity } from './workspace.entity';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import type { Principal } from '../../../common/platform/http/principal';
import { LOCAL_ADMIN } from '../domain/workspace';

/** Members of a workspace with their current roles. Excludes the local admin unless AUTH_MODE=none. */
@Injectable()
export class WorkspaceMemberReader {
  constructor(
    @InjectRepository(WorkspaceMemberEntity) private readonly members: Repository<WorkspaceMemberEntity>,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async list(workspaceId: string, userId?: string): Promise<Principal[]> {
    const wanted = { workspaceId, ...(userId === undefined ? {} : { userId }) };
    return this.memberships().andWhere(wanted).orderBy('person.id').getRawMany<Principal>();
  }

  /** Undefined for a user who is not a member any more, or disabled. */
  async find(workspaceId: string, userId: string): Promise<Principal | undefined> {
    return (await this.list(workspaceId, userId))[0];
  }

  /** In the workspace joined first; undefined for a user who is unknown, disabled, or in no workspace. */
  async findPrimary(userId: string): Promise<Principal | undefined> {
    const query = this.memberships().andWhere({ userId }).orderBy('member.createdAt').addOrderBy('member.workspaceId');
    return query.limit(1).getRawOne<Principal>();
  }

  private memberships() {
    const memberships = this.members
      .createQueryBuilder('member')
      .innerJoin(UserEntity, 'person', 'person.id = member.userId')
      .select('person.id', 'userId')
      .addSelect('person.email', 'email')
      .addSelect('person.name', 'name')
      .addSelect('member.workspaceId', 'workspaceId')
      .addSelect('member.role', 'workspaceRole')
      .addSelect('person.realmRoles', 'realmRoles')
      .where('person.enabled');
    if (this.configuration.oidc !== null) memberships.andWhere('person.id <> :nobody', { nobody: LOCAL_ADMIN.id });
    return memberships;
  }
}

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
