import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import type { Principal } from '../../../common/platform/http/principal';
import { LOCAL_ADMIN } from '../domain/defaults';
import { UserEntity } from './user.entity';
import { WorkspaceMemberEntity } from './workspace-member.entity';

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
