import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { DEFAULT_ORGANIZATION, DEFAULT_WORKSPACE, LOCAL_ADMIN } from '../domain/workspace';
import { OrganizationEntity, WorkspaceEntity, WorkspaceMemberEntity, UserEntity } from './workspace.entity';

@Injectable()
export class InstallationRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Creates the default organization, workspace and local admin if they don't exist. */
  async ensureDefaults(now: Date): Promise<void> {
    await this.transactions.run(async (manager) => {
      const insert = async (entity: new () => object, values: object): Promise<void> => {
        await manager.createQueryBuilder().insert().into(entity).values(values).orIgnore().execute();
      };
      await insert(OrganizationEntity, { ...DEFAULT_ORGANIZATION, createdAt: now, updatedAt: null });
      await insert(WorkspaceEntity, {
        ...DEFAULT_WORKSPACE,
        organizationId: DEFAULT_ORGANIZATION.id,
        createdAt: now,
        updatedAt: null,
      });
      await insert(UserEntity, { ...LOCAL_ADMIN, realmRoles: [], createdAt: now });
      await insert(WorkspaceMemberEntity, {
        workspaceId: DEFAULT_WORKSPACE.id,
        userId: LOCAL_ADMIN.id,
        role: 'admin',
        createdAt: now,
      });
    });
  }
}
