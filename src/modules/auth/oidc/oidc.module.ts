import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { WorkspacesModule } from '../../workspaces';
import { SessionsModule } from '../sessions/sessions.module';
import { AdmitUserUseCase, SignInUseCase } from './sign-in.use-case';
import { OidcController } from './http/oidc.controller';
import { IdentityClient } from './identity-client';
import { LogoutTokenVerifier, SignOutUseCase } from './sign-out.use-case';
import { ProviderDiscovery } from './provider-discovery';
import { SignInAttempts } from './sign-in-attempts';

@Module({
  imports: [AuditModule, WorkspacesModule, SessionsModule],
  controllers: [OidcController],
  providers: [
    ProviderDiscovery,
    IdentityClient,
    SignInAttempts,
    LogoutTokenVerifier,
    AdmitUserUseCase,
    SignInUseCase,
    SignOutUseCase,
  ],
})
export class OidcModule {}
