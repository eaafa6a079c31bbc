import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkspacesModule } from '../../workspaces';
import { RenewalsModule } from '../renewals';
import { sessionsPersistence } from './persistence/schema';
import { LoginSessionRepository, UsedLogoutTokenRepository } from './persistence/login-session.repository';
import { SessionAuthenticator } from './session.authenticator';
import { SessionSweep, Sessions } from './sessions';

@Module({
  imports: [TypeOrmModule.forFeature(sessionsPersistence.entities), WorkspacesModule, RenewalsModule],
  providers: [LoginSessionRepository, UsedLogoutTokenRepository, Sessions, SessionAuthenticator, SessionSweep],
  exports: [Sessions, SessionAuthenticator, UsedLogoutTokenRepository],
})
export class SessionsModule {}
