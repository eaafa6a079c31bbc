import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Put,
  Query,
  UseFilters,
  UseGuards,
  Injectable,
  type CanActivate,
} from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { RealmRole, SelfHostedOnly } from '../../../common/platform/http/access';
import { MayFail } from '../../../common/platform/http/description/may-fail';
import { InvalidAsBadRequestFilter } from '../../../common/platform/http/error.filter';
import { CurrentPrincipal, type Principal } from '../../../common/platform/http/principal';
import { CreateUserUseCase } from '../create-user.use-case';
import { DeleteUserUseCase } from '../delete-user.use-case';
import { EndSessionsUseCase } from '../end-sessions.use-case';
import { SetRealmRolesUseCase } from '../set-realm-roles.use-case';
import { UpdateUserUseCase } from '../update-user.use-case';
import { UserReader } from '../user.reader';
import {
  messageResponse,
  newUserBody,
  passwordBody,
  rolesBody,
  sessionListResponse,
  userChangesBody,
  userListQuery,
  userListResponse,
  userPath,
  userResponse,
  type MessageResponse,
  type NewUserBody,
  type PasswordBody,
  type RolesBody,
  type UserChangesBody,
  type UserListQuery,
  type UserPath,
  type UserResponse,
  type sessionResponse,
} from './user.schemas';
import { type ProviderSession, type ProviderUser, UserManagementOffError } from '../domain/provider-user';
import { AbsentIdentityProvider, IdentityProvider } from '../identity-provider';

/** Sign-in may be configured without user management. */
@Injectable()
class UserManagementGuard implements CanActivate {
  constructor(private readonly provider: IdentityProvider) {}

  canActivate(): boolean {
    if (this.provider instanceof AbsentIdentityProvider) throw new UserManagementOffError();
    return true;
  }
}

const presentUser = (user: ProviderUser): UserResponse => ({
  id: user.id,
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  enabled: user.enabled,
  createdTimestamp: user.createdTimestamp,
  roles: [...user.roles],
  lastAccess: user.lastAccess,
});

const presentSession = (session: ProviderSession): z.infer<typeof sessionResponse> => ({
  id: session.id,
  username: session.username,
  ipAddress: session.ipAddress,
  start: session.start,
  lastAccess: session.lastAccess,
  clients: { ...session.clients },
});

@ApiTags('User management')
@Controller('api/v1/idp/admin/users')
@SelfHostedOnly()
@UseGuards(UserManagementGuard)
@UseFilters(InvalidAsBadRequestFilter)
export class UserController {
  constructor(
    private readonly users: UserReader,
    private readonly createUser: CreateUserUseCase,
    private readonly updateUser: UpdateUserUseCase,
    private readonly deleteUser: DeleteUserUseCase,
    private readonly endSessions: EndSessionsUseCase,
    private readonly setRealmRoles: SetRealmRolesUseCase,
  ) {}

  @Get()
  @RealmRole('view-users')
  @ApiOperation({ summary: 'The users of the identity provider; `total` counts all that match' })
  @ApiOkResponse({ standardSchema: userListResponse })
  async list(@Query({ schema: userListQuery }) query: UserListQuery): Promise<z.infer<typeof userListResponse>> {
    const { search, first, max_results: max } = query;
    const { users, total } = await this.users.page({ search, first, max });
    return { users: users.map(presentUser), total };
  }

  @Get(':user_id')
  @RealmRole('view-users')
  @ApiOperation({ summary: "One user, by the identity provider's id or by this service's" })
  @ApiOkResponse({ standardSchema: userResponse })
  async get(@Param({ schema: userPath }) path: UserPath): Promise<UserResponse> {
    return presentUser(await this.users.get(path.user_id));
  }

  @Post()
  @HttpCode(201)
  @RealmRole('manage-users')
  @ApiOperation({ summary: 'Create a user, at the identity provider and in the workspace' })
  @ApiCreatedResponse({ standardSchema: userResponse })
  @MayFail(409)
  async create(
    @Body({ schema: newUserBody }) { workspace_role: role, ...user }: NewUserBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<UserResponse> {
    return presentUser(await this.createUser.create(user, role, principal));
  }

  @Patch(':user_id')
  @RealmRole('manage-users')
  @ApiOperation({ summary: 'Rename, enable or disable a user; disabling logs the user out' })
  @ApiOkResponse({ standardSchema: userResponse })
  @MayFail(409)
  async update(
    @Param({ schema: userPath }) path: UserPath,
    @Body({ schema: userChangesBody }) { username, enabled }: UserChangesBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<UserResponse> {
    const changes = { ...(username === undefined ? {} : { username }), ...(enabled === undefined ? {} : { enabled }) };
    return presentUser(await this.updateUser.update(path.user_id, changes, principal));
  }

  @Delete(':user_id')
  @RealmRole('manage-users')
  @ApiOperation({ summary: "Delete a user; the caller becomes the owner of the user's datasets" })
  @ApiOkResponse({ standardSchema: messageResponse })
  async delete(
    @Param({ schema: userPath }) path: UserPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<MessageResponse> {
    await this.deleteUser.delete(path.user_id, principal);
    return { message: 'User deleted successfully' };
  }

  @Post(':user_id/reset-password')
  @HttpCode(200)
  @RealmRole('manage-users')
  @ApiOperation({ summary: 'Set a temporary password, and log the user out everywhere' })
  @ApiOkResponse({ standardSchema: messageResponse })
  async resetPassword(
    @Param({ schema: userPath }) path: UserPath,
    @Body({ schema: passwordBody }) { password }: PasswordBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<MessageResponse> {
    await this.endSessions.resetPassword(path.user_id, password, principal);
    return { message: 'Password reset successfully' };
  }

  @Post(':user_id/logout')
  @HttpCode(200)
  @RealmRole('manage-users')
  @ApiOperation({ summary: 'Log a user out everywhere' })
  @ApiOkResponse({ standardSchema: messageResponse })
  async logOut(
    @Param({ schema: userPath }) path: UserPath,
    @CurrentPrincipal() principal: Principal,
  ): Promise<MessageResponse> {
    await this.endSessions.logOut(path.user_id, principal);
    return { message: 'User logged out successfully' };
  }

  @Get(':user_id/sessions')
  @RealmRole('view-users')
  @ApiOperation({ summary: "A user's sessions at the identity provider" })
  @ApiOkResponse({ standardSchema: sessionListResponse })
  async sessions(@Param({ schema: userPath }) path: UserPath): Promise<z.infer<typeof sessionListResponse>> {
    const sessions = await this.users.sessions(path.user_id);
    return { sessions: sessions.map(presentSession), total: sessions.length };
  }

  @Put(':user_id/roles')
  @RealmRole('manage-users')
  @ApiOperation({ summary: 'Replace the realm roles of a user; names that the provider does not know are left out' })
  @ApiOkResponse({ standardSchema: userResponse })
  async setRoles(
    @Param({ schema: userPath }) path: UserPath,
    @Body({ schema: rolesBody }) { roles }: RolesBody,
    @CurrentPrincipal() principal: Principal,
  ): Promise<UserResponse> {
    return presentUser(await this.setRealmRoles.set(path.user_id, roles, principal));
  }
}
