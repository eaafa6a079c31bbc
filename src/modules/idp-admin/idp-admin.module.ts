import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit';
import { AuthModule } from '../auth';
import { DatasetsModule } from '../datasets';
import { WorkspacesModule } from '../workspaces';
import { ChangeMemberRoleUseCase, ChangeRoleStep } from './change-member-role.use-case';
import { AdmitUserStep, CreateUserUseCase } from './create-user.use-case';
import { RemoveUserStep, DeleteUserUseCase } from './delete-user.use-case';
import { EndAccessStep, ProviderWorkRunner, ProviderWorkSweep } from './provider-work.runner';
import { EndSessionsUseCase } from './end-sessions.use-case';
import { FinishDeletionStep } from './finish-deletion.step';
import { MemberRoleController } from './http/member-role.controller';
import { UserController } from './http/user.controller';
import { idpAdminPersistence } from './persistence/schema';
import { ProviderWorkRepository } from './persistence/provider-work.repository';
import { UserCreationRepository } from './persistence/user-creation.repository';
import { provideIdentityProvider } from './provide-identity-provider';
import { ProviderWork } from './provider-work';
import { RenewalCheck, UserComparison, UserComparisonSweep } from './user-comparison';
import { SetRealmRolesUseCase } from './set-realm-roles.use-case';
import { UndoCreationStep, UserCreationSweep } from './undo-creation.step';
import { UpdateUserUseCase } from './update-user.use-case';
import { UserAuthority } from './user-authority';
import { UserIdentities } from './user-identities';
import { UserReader } from './user.reader';

@Module({
  imports: [
    TypeOrmModule.forFeature(idpAdminPersistence.entities),
    AuditModule,
    WorkspacesModule,
    DatasetsModule,
    AuthModule,
  ],
  controllers: [UserController, MemberRoleController],
  providers: [
    provideIdentityProvider,
    UserIdentities,
    UserAuthority,
    UserReader,
    ProviderWorkRepository,
    ProviderWork,
    ProviderWorkRunner,
    ProviderWorkSweep,
    UserCreationRepository,
    UndoCreationStep,
    UserCreationSweep,
    AdmitUserStep,
    RemoveUserStep,
    ChangeRoleStep,
    ChangeMemberRoleUseCase,
    CreateUserUseCase,
    UpdateUserUseCase,
    FinishDeletionStep,
    DeleteUserUseCase,
    EndSessionsUseCase,
    EndAccessStep,
    UserComparison,
    UserComparisonSweep,
    RenewalCheck,
    SetRealmRolesUseCase,
  ],
})
export class IdpAdminModule {}
