import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkspacesModule } from '../../workspaces';
import { RenewalsModule } from '../renewals.module';
import { sessionsPersistence } from './persistence';
import { LoginSessionRepository } from './persistence/login-session.repository';
import { UsedLogoutTokenRepository } from './persistence/used-logout-token.repository';
import { SessionAuthenticator } from './session.authenticator';
import { SessionSweep } from './session.sweep';
import { Sessions } from './sessions';

@Module({
  imports: [TypeOrmModule.forFeature(sessionsPersistence.entities), WorkspacesModule, RenewalsModule],
  providers: [LoginSessionRepository, UsedLogoutTokenRepository, Sessions, SessionAuthenticator, SessionSweep],
  exports: [Sessions, SessionAuthenticator, UsedLogoutTokenRepository],
})
export class SessionsModule {}
