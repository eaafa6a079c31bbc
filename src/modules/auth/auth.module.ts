import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { DatasetsModule } from '../datasets';
import { WorkspacesModule } from '../workspaces';
import { ApiKeyAuthenticator } from './api-keys/api-key.authenticator';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AccessDeclarationCheck, AccessGuard } from './http/access.guard';
import { OidcModule } from './oidc/oidc.module';
import { CredentialSource, LocalAdminSource, PrincipalSource, type Authenticator } from './principal-source';
import { RenewalsModule } from './renewals';
import { SessionAuthenticator } from './sessions/session.authenticator';
import { SessionsModule } from './sessions/sessions.module';

const principalSource = (configuration: Configuration, ...authenticators: Authenticator[]): PrincipalSource =>
  configuration.oidc === null ? new LocalAdminSource() : new CredentialSource(authenticators);

@Module({
  imports: [
    DiscoveryModule,
    DatasetsModule,
    WorkspacesModule,
    ApiKeysModule,
    SessionsModule,
    RenewalsModule,
    OidcModule,
  ],
  providers: [
    AccessDeclarationCheck,
    {
      provide: PrincipalSource,
      inject: [CONFIGURATION, ApiKeyAuthenticator, SessionAuthenticator],
      useFactory: principalSource,
    },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [SessionsModule, ApiKeysModule, RenewalsModule],
})
export class AuthModule {}
