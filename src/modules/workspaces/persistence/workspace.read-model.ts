import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { JoinedWorkspace, Member, Organization } from '../domain/workspace';
import { OrganizationEntity, WorkspaceEntity, WorkspaceMemberEntity, UserEntity } from './workspace.entity';

@Injectable()
export class WorkspaceReadModel {
  constructor(
    @InjectRepository(WorkspaceMemberEntity) private readonly memberships: Repository<WorkspaceMemberEntity>,
    @InjectRepository(OrganizationEntity) private readonly organizations: Repository<OrganizationEntity>,
  ) {}

  /** Ordered by the time of joining. */
  listOfUser(userId: string): Promise<JoinedWorkspace[]> {
    return this.memberships
      .createQueryBuilder('member')
      .innerJoin(WorkspaceEntity, 'workspace', 'workspace.id = member.workspaceId')
      .select('workspace.id', 'id')
      .addSelect('workspace.organizationId', 'organizationId')
      .addSelect('workspace.name', 'name')
      .addSelect('workspace.createdAt', 'createdAt')
      .addSelect('workspace.updatedAt', 'updatedAt')
      .addSelect('member.role', 'role')
      .where({ userId })
      .orderBy('member.createdAt')
      .addOrderBy('workspace.id')
      .getRawMany<JoinedWorkspace>();
  }

  /** Organizations of the user's workspaces. */
  organizationsOfUser(userId: string): Promise<Organization[]> {
    return this.organizations
      .createQueryBuilder('organization')
      .where((query) => {
        const joined = query
          .subQuery()
          .select('workspace.organizationId')
          .from(WorkspaceEntity, 'workspace')
          .innerJoin(WorkspaceMemberEntity, 'member', 'member.workspaceId = workspace.id')
          .where('member.userId = :userId');
        return `organization.id IN ${joined.getQuery()}`;
      })
      .setParameters({ userId })
      .orderBy('organization.createdAt')
      .addOrderBy('organization.id')
      .getMany();
  }

  /** Ordered by the time of joining. */
  members(workspaceId: string, userId?: string): Promise<Member[]> {
    return this.memberships
      .createQueryBuilder('member')
      .innerJoin(UserEntity, 'person', 'person.id = member.userId')
      .select('person.id', 'userId')
      .addSelect('person.username', 'username')
      .addSelect('person.email', 'email')
      .addSelect('person.firstName', 'firstName')
      .addSelect('person.lastName', 'lastName')
      .addSelect('member.role', 'role')
      .addSelect('member.createdAt', 'createdAt')
      .where({ workspaceId, ...(userId === undefined ? {} : { userId }) })
      .orderBy('member.createdAt')
      .addOrderBy('person.id')
      .getRawMany<Member>();
  }
}
