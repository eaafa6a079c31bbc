import { Module, type OnModuleInit } from '@nestjs/common';
import { InstallationRepository } from './persistence/installation.repository';
import { WorkspaceMemberReader } from './persistence/workspace-member.reader';

@Module({ providers: [InstallationRepository, WorkspaceMemberReader], exports: [WorkspaceMemberReader] })
export class WorkspacesModule implements OnModuleInit {
  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    await this.installation.ensureDefaults(new Date());
  }
}
