import { Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PersonController } from './http/person.controller';
import { WorkspaceController } from './http/workspace.controller';
import { workspacesPersistence } from './persistence/schema';
import { InstallationRepository } from './persistence/installation.repository';
import { UserRepository } from './persistence/user.repository';
import { WorkspaceMemberReader, WorkspaceMemberRepository } from './persistence/workspace-member.repository';
import { WorkspaceReadModel } from './persistence/workspace.read-model';
import { PrincipalReader, WorkspaceDirectory } from './workspace-directory';

const OFFERED = [PrincipalReader, UserRepository, WorkspaceDirectory, WorkspaceMemberReader, WorkspaceMemberRepository];

@Module({
  imports: [TypeOrmModule.forFeature(workspacesPersistence.entities)],
  controllers: [PersonController, WorkspaceController],
  providers: [InstallationRepository, WorkspaceReadModel, ...OFFERED],
  exports: OFFERED,
})
export class WorkspacesModule implements OnModuleInit {
  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    await this.installation.ensureDefaults(new Date());
  }
}
