import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { CONFIGURATION, type Configuration } from '../../common/config/configuration';
import { DatasetsModule } from '../datasets';
import { WorkspacesModule } from '../workspaces';
import { AccessDeclarationCheck } from './http/access-declaration.check';
import { AccessGuard } from './http/access.guard';
import { CredentialSource, LocalAdminSource, PrincipalSource, type Authenticator } from './principal-source';

const principalSource = (configuration: Configuration, ...authenticators: Authenticator[]): PrincipalSource =>
  configuration.oidc === null ? new LocalAdminSource() : new CredentialSource(authenticators);

@Module({
  imports: [DiscoveryModule, DatasetsModule, WorkspacesModule],
  providers: [
    AccessDeclarationCheck,
    { provide: PrincipalSource, inject: [CONFIGURATION], useFactory: principalSource },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AuthModule {}
