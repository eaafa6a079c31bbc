import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/http/principal';
import { UserRepository } from './persistence/user.repository';
import { WorkspaceMemberRepository } from './persistence/workspace-member.repository';

/** What a user is right now: read for every request, so that a change of role counts at the next. */
@Injectable()
export class PrincipalReader {
  constructor(
    private readonly users: UserRepository,
    private readonly members: WorkspaceMemberRepository,
  ) {}

  /** Undefined for somebody unknown, kept out, or in no workspace. */
  async find(userId: string): Promise<Principal | undefined> {
    const [user, [membership]] = await Promise.all([this.users.find(userId), this.members.listOfUser(userId)]);
    if (user === undefined || user.enabled === false || membership === undefined) return undefined;
    const { id, email, name, realmRoles } = user;
    return {
      userId: id,
      email,
      name,
      workspaceId: membership.workspaceId,
      workspaceRole: membership.role,
      realmRoles,
    };
  }
}
