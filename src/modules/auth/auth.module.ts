import { Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { DatasetsModule } from '../datasets';
import { AccessDeclarationCheck } from './http/access-declaration.check';
import { AccessGuard } from './http/access.guard';
import { LocalAdminSource, PrincipalSource } from './principal-source';

@Module({
  imports: [DiscoveryModule, DatasetsModule],
  providers: [
    AccessDeclarationCheck,
    { provide: PrincipalSource, useClass: LocalAdminSource },
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
})
export class AuthModule {}
