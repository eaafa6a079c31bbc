import { Controller, Get, Param, Query, UseFilters } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { SelfHostedOnly, WorkspaceRole } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { InvalidAsBadRequestFilter } from '../../../common/platform/http/error.filter';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { WorkspaceDirectory } from '../workspace-directory';
import {
  presentMember,
  presentOrganization,
  presentWorkspace,
  membersResponse,
  organizationPath,
  organizationResponse,
  organizationsResponse,
  settingsAccessResponse,
  workspacePath,
  workspaceQuery,
  workspaceResponse,
  workspacesQuery,
  workspacesResponse,
  type OrganizationPath,
  type OrganizationResponse,
  type WorkspacePath,
  type WorkspaceQuery,
  type WorkspaceResponse,
  type WorkspacesQuery,
} from './workspace.presenter';

@ApiTags('Workspaces and organizations')
@Controller('api/v1')
@SelfHostedOnly()
@WorkspaceRole('viewer')
@UseFilters(InvalidAsBadRequestFilter)
export class WorkspaceController {
  constructor(private readonly directory: WorkspaceDirectory) {}

  @Get('workspaces')
  @ApiOperation({ summary: 'The workspaces that the caller belongs to' })
  @ApiOkResponse({ standardSchema: workspacesResponse })
  async workspaces(
    @Query({ schema: workspacesQuery }) query: WorkspacesQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof workspacesResponse>> {
    return { workspaces: (await this.directory.list(principal, query.organization_id)).map(presentWorkspace) };
  }

  @Get('workspaces/:workspace_id')
  @ApiOperation({ summary: 'One workspace' })
  @ApiOkResponse({ standardSchema: workspaceResponse })
  async workspace(
    @Param({ schema: workspacePath }) path: WorkspacePath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<WorkspaceResponse> {
    return presentWorkspace(await this.directory.get(principal, path.workspace_id));
  }

  @Get('workspace/members')
  @ApiOperation({ summary: 'The members of a workspace, ordered by the time of joining' })
  @ApiOkResponse({ standardSchema: membersResponse })
  @MayFail(404)
  async members(
    @Query({ schema: workspaceQuery }) query: WorkspaceQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof membersResponse>> {
    const members = await this.directory.members(principal, query.workspace_id);
    return { members: members.map(presentMember), total: members.length };
  }

  @Get('workspace/settings/access')
  @ApiOperation({ summary: 'Whether the caller may see and change the settings of a workspace' })
  @ApiOkResponse({ standardSchema: settingsAccessResponse })
  @MayFail(404)
  async settingsAccess(
    @Query({ schema: workspaceQuery }) query: WorkspaceQuery,
    @CurrentPrincipal() principal: Principal,
  ): Promise<z.infer<typeof settingsAccessResponse>> {
    const role = await this.directory.roleIn(principal, query.workspace_id);
    return { can_access: role !== null, can_manage: role === 'admin', role };
  }

  @Get('organizations')
  @ApiOperation({ summary: 'The organizations that the caller belongs to' })
  @ApiOkResponse({ standardSchema: organizationsResponse })
  async organizations(@CurrentPrincipal() principal: Principal): Promise<z.infer<typeof organizationsResponse>> {
    return { organizations: (await this.directory.organizations(principal)).map(presentOrganization) };
  }

  @Get('organizations/:organization_id')
  @ApiOperation({ summary: 'One organization' })
  @ApiOkResponse({ standardSchema: organizationResponse })
  async organization(
    @Param({ schema: organizationPath }) path: OrganizationPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<OrganizationResponse> {
    return presentOrganization(await this.directory.organization(principal, path.organization_id));
  }
}
