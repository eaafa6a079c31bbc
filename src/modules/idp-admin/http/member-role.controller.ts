import { Body, Controller, Param, Put, UseFilters } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SelfHostedOnly, WorkspaceRole } from '../../../common/platform/http/access';
import { InvalidAsBadRequestFilter } from '../../../common/platform/http/error.filter';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { memberResponse, presentMember, WorkspaceDirectory, type MemberResponse } from '../../workspaces';
import { ChangeMemberRoleUseCase } from '../change-member-role.use-case';
import { memberPath, memberRoleBody, type MemberPath, type MemberRoleBody } from './user.schemas';

@ApiTags('Workspaces and organizations')
@Controller('api/v1/workspace/members/:member_user_id/role')
@SelfHostedOnly()
@UseFilters(InvalidAsBadRequestFilter)
export class MemberRoleController {
  constructor(
    private readonly changeRole: ChangeMemberRoleUseCase,
    private readonly directory: WorkspaceDirectory,
  ) {}

  @Put()
  @WorkspaceRole('admin')
  @ApiOperation({
    summary: 'Change the role of a member; in single-workspace mode a new admin replaces the old one',
  })
  @ApiOkResponse({ standardSchema: memberResponse })
  async change(
    @Param({ schema: memberPath }) { member_user_id: userId }: MemberPath,
    @Body({ schema: memberRoleBody }) { role, workspace_id: named }: MemberRoleBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<MemberResponse> {
    const workspaceId = named ?? principal.workspaceId;
    await this.changeRole.change(workspaceId, userId, role, principal);
    return presentMember(await this.directory.member(workspaceId, userId));
  }
}
