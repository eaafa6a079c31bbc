import { Inject, Injectable, type CanActivate, type ExecutionContext, type OnModuleInit } from '@nestjs/common';
import { Reflector, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { PATH_METADATA } from '@nestjs/common/constants';
import {
  ACCESS,
  CHANGES_STATE,
  SELF_HOSTED_ONLY,
  type AccessRule,
  type DatasetRight,
  WORKSPACE_RANK,
  type WorkspaceRoleName,
} from '../../../common/platform/http/access';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { ForbiddenError, NotFoundError, UnauthenticatedError } from '../../../common/platform/errors/domain-error';
import type { AuthenticatedRequest, Credential, Principal } from '../../../common/platform/http/principal';
import { askingSite } from '../../../common/platform/http/cross-site';
import { datasetPath } from '../../../common/platform/http/query-values';
import { parseOrFail } from '../../../common/platform/http/zod-validation.pipe';
import { DatasetNotFoundError, DatasetReader, grants } from '../../datasets';
import { PrincipalSource } from '../principal-source';
import { readCookie, SESSION_COOKIE } from '../sessions/session.authenticator';

class UndeclaredAccessError extends Error {
  constructor(routes: readonly string[]) {
    super(
      `These routes declare no access (@Public, @RealmRole, @WorkspaceRole or @DatasetAccess): ${routes.join(', ')}`,
    );
  }
}

/** Prevents startup if a route declares no access. */
@Injectable()
export class AccessDeclarationCheck implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype, instance }) => {
      if (typeof metatype !== 'function' || this.reflector.get(ACCESS, metatype) !== undefined) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, () => unknown>;
      return this.scanner
        .getAllMethodNames(prototype)
        .map((name) => prototype[name]!)
        .filter(
          (handler) => Reflect.hasMetadata(PATH_METADATA, handler) && this.reflector.get(ACCESS, handler) === undefined,
        )
        .map((handler) => `${metatype.name}.${handler.name}`);
    });
    if (open.length > 0) throw new UndeclaredAccessError(open);
  }
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Enforces the access that a route declares. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly principals: PrincipalSource,
    private readonly datasets: DatasetReader,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const declaredAt = [context.getHandler(), context.getClass()];
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS, declaredAt);
    if (rule === undefined)
      throw new Error(`${context.getClass().name}.${context.getHandler().name} declares no access`);
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const declared = this.reflector.getAllAndOverride<boolean | undefined>(CHANGES_STATE, declaredAt);
    const changesState = declared === true;
    request.changesState = declared ?? !READING.has(request.method);
    // A GET route handles HEAD too, but HEAD must not change state.
    if (changesState && request.method === 'HEAD') throw new NotFoundError(`No such route: HEAD ${request.path}`);
    if (rule.kind === 'public') {
      if (changesState) this.assertFromOwnSite(request);
      return true;
    }
    const { principal, credential, isStillValid } = await this.principals.of(request);
    this.assertFits(credential, rule);
    // Browsers send cookies with cross-site requests too (CSRF).
    if (credential.kind !== 'api-key' && (changesState || !READING.has(request.method)))
      this.assertFromOwnSite(request);
    request.principal = principal;
    request.credential = credential;
    if (isStillValid !== undefined) request.isStillValid = isStillValid;
    if (this.reflector.getAllAndOverride<boolean | undefined>(SELF_HOSTED_ONLY, declaredAt)) this.assertSelfHosted();
    await this.assertMeets(rule, principal, request);
    return true;
  }

  /** In the cloud a session only serves to create API keys. */
  private assertFits({ kind }: Credential, rule: AccessRule): void {
    if (this.configuration.runMode === 'CLOUD' && kind === 'session' && rule.kind !== 'session')
      throw new UnauthenticatedError('Send a bearer token');
  }

  private assertFromOwnSite(request: AuthenticatedRequest): void {
    const site = askingSite(request.headers, this.configuration.baseUrl);
    if (site === 'other') throw new ForbiddenError('This request is only accepted from pages of this service');
    // Over plain http a link of another site sends the session's cookie, and nothing that tells where it comes from.
    if (site === 'untold' && request.method === 'GET' && readCookie(request, SESSION_COOKIE) !== undefined)
      throw new ForbiddenError(
        'With a cookie, this request must tell that it comes from a page of this service: send the header Origin or Referer with its address, or use a bearer token',
      );
  }

  private assertSelfHosted(): void {
    if (this.configuration.runMode === 'CLOUD')
      throw new ForbiddenError('This is only available in self-hosted installations');
  }

  private assertUserManagement(): void {
    if (this.configuration.runMode === 'CLOUD' || this.configuration.oidc === null)
      throw new ForbiddenError('User management is not enabled');
  }

  private async assertMeets(
    rule: Exclude<AccessRule, { kind: 'public' }>,
    principal: Principal,
    request: AuthenticatedRequest,
  ): Promise<void> {
    switch (rule.kind) {
      case 'session':
        if (request.credential?.kind !== 'session') throw new UnauthenticatedError('Sign in with a browser first');
        return;
      case 'realm':
        this.assertUserManagement();
        if (!principal.realmRoles.includes(rule.role)) throw new ForbiddenError(`This needs the role ${rule.role}`);
        return;
      case 'workspace':
        this.assertWorkspaceRole(rule.role, principal);
        return;
      case 'dataset':
        // For users without access the dataset does not exist: 404 before 403.
        await this.assertDatasetRight(rule.right, principal, request);
        this.assertWorkspaceRole(rule.workspaceRole, principal);
    }
  }

  private assertWorkspaceRole(role: WorkspaceRoleName, principal: Principal): void {
    if (WORKSPACE_RANK[principal.workspaceRole] < WORKSPACE_RANK[role])
      throw new ForbiddenError(`This needs the workspace role ${role}`);
  }

  private async assertDatasetRight(
    right: DatasetRight,
    principal: Principal,
    request: AuthenticatedRequest,
  ): Promise<void> {
    const { dataset_id: id } = parseOrFail(datasetPath, request.params, 'path');
    const role = await this.datasets.roleOn(principal, id);
    if (role === undefined) throw new DatasetNotFoundError();
    if (!grants(role, right)) throw new ForbiddenError('You may view this dataset but not change it');
  }
}
