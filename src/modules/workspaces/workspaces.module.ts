import { Module, type OnModuleInit } from '@nestjs/common';
import { InstallationRepository } from './persistence/installation.repository';
import { UserRepository } from './persistence/user.repository';
import { WorkspaceMemberReader } from './persistence/workspace-member.reader';
import { WorkspaceMemberRepository } from './persistence/workspace-member.repository';
import { PrincipalReader } from './principal.reader';

const OFFERED = [PrincipalReader, UserRepository, WorkspaceMemberReader, WorkspaceMemberRepository];

@Module({ providers: [InstallationRepository, ...OFFERED], exports: OFFERED })
export class WorkspacesModule implements OnModuleInit {
  constructor(private readonly installation: InstallationRepository) {}

  async onModuleInit(): Promise<void> {
    await this.installation.ensureDefaults(new Date());
  }
}
