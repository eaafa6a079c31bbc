import { Module, type OnModuleInit } from '@nestjs/common';
import { InstallationRepository } from './persistence/installation.repository';

@Module({ providers: [InstallationRepository] })
export class WorkspacesModule implements OnModuleInit {
  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    await this.installation.ensureDefaults(new Date());
  }
}
