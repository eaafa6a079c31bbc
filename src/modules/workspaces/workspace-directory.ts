import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import type { WorkspaceRoleName } from '../../common/platform/http/access';
import type { Principal } from '../../common/platform/http/principal';
import {
  LOCAL_ADMIN,
  type JoinedWorkspace,
  type Member,
  type Organization,
  MemberNotFoundError,
  OrganizationNotFoundError,
  WorkspaceNotFoundError,
} from './domain/workspace';
import { WorkspaceReadModel } from './persistence/workspace.read-model';
import { WorkspaceMemberReader } from './persistence/workspace-member.repository';

/** Reads a user's current role, for every request, so that a change takes effect at the next. */
@Injectable()
export class PrincipalReader {
  constructor(private readonly members: WorkspaceMemberReader) {}

  /** In the user's primary workspace. Undefined for a user who is unknown, disabled, or in no workspace. */
  find(userId: string): Promise<Principal | undefined> {
    return this.members.findPrimary(userId);
  }
}

type Caller = Pick<Principal, 'userId' | 'workspaceId'>;

/** Workspaces, organizations and members visible to a caller; others are reported as not found. */
@Injectable()
export class WorkspaceDirectory {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly workspaces: WorkspaceReadModel,
  ) {}

  async list({ userId }: Caller, organizationId?: string): Promise<JoinedWorkspace[]> {
    const joined = await this.workspaces.listOfUser(userId);
    return joined.filter((workspace) => organizationId === undefined || workspace.organizationId === organizationId);
  }

  /** The caller's primary workspace if no id is given. */
  async get(caller: Caller, workspaceId = caller.workspaceId): Promise<JoinedWorkspace> {
    const found = (await this.list(caller)).find(({ id }) => id === workspaceId);
    if (found === undefined) throw new WorkspaceNotFoundError();
    return found;
  }

  async roleIn(caller: Caller, workspaceId = caller.workspaceId): Promise<WorkspaceRoleName | null> {
    return (await this.list(caller)).find(({ id }) => id === workspaceId)?.role ?? null;
  }

  async members(caller: Caller, workspaceId?: string): Promise<Member[]> {
    const { id } = await this.get(caller, workspaceId);
    return (await this.workspaces.members(id)).filter((member) => this.isPerson(member));
  }

  async member(workspaceId: string, userId: string): Promise<Member> {
    const [found] = await this.workspaces.members(workspaceId, userId);
    if (found === undefined || !this.isPerson(found)) throw new MemberNotFoundError();
    return found;
  }

  organizations({ userId }: Caller): Promise<Organization[]> {
    return this.workspaces.organizationsOfUser(userId);
  }

  async organization(caller: Caller, organizationId: string): Promise<Organization> {
    const found = (await this.organizations(caller)).find(({ id }) => id === organizationId);
    if (found === undefined) throw new OrganizationNotFoundError();
    return found;
  }

  /** The local admin counts as a member only with AUTH_MODE=none. */
  private isPerson({ userId }: Member): boolean {
    return this.configuration.oidc === null || userId !== LOCAL_ADMIN.id;
  }
}
