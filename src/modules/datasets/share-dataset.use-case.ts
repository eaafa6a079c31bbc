import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../common/platform/database/transaction-runner';
import type { Principal } from '../../common/platform/http/principal';
import { AuditLog } from '../audit';
import { Settings } from '../settings';
import { UserRepository, WorkspaceMemberReader, WorkspaceMemberRepository, WorkspaceDirectory } from '../workspaces';
import {
  capped,
  type GrantedRole,
  type DatasetRole,
  InvitedUserNotFoundError,
  NotSharedError,
  OwnerKeepsAccessError,
  SharingDisabledError,
} from './domain/dataset-role';
import { DatasetMemberRepository } from './persistence/dataset-member.repository';
import { DatasetRepository } from './persistence/dataset.repository';
import { DatasetReader } from './dataset.reader';

interface DatasetShare {
  readonly email: string;
  readonly role: DatasetRole;
}

/** With whom a dataset is shared. */
@Injectable()
export class DatasetSharesReader {
  constructor(
    private readonly settings: Settings,
    private readonly datasets: DatasetReader,
    private readonly grants: DatasetMemberRepository,
    private readonly workspaces: WorkspaceDirectory,
    private readonly users: UserRepository,
  ) {}

  /** The owner first, then ordered by the time of sharing; includes disabled users, who may be enabled again. */
  async list(datasetId: string, caller: Principal): Promise<DatasetShare[]> {
    if (!this.settings.isOn('DATASET_SHARE_ENABLED')) throw new SharingDisabledError();
    const { workspaceId, ownerId } = await this.datasets.get(datasetId);
    const owner = await this.users.find(ownerId);
    const members = await this.workspaces.members(caller, workspaceId);
    const byId = new Map(members.map((member) => [member.userId, member]));
    const shares = (await this.grants.listOfDataset(datasetId)).flatMap(({ userId, role }): DatasetShare[] => {
      const member = byId.get(userId);
      return member === undefined ? [] : [{ email: member.email, role: capped(role, member.role) }];
    });
    return owner === undefined ? shares : [{ email: owner.email, role: 'owner' }, ...shares];
  }
}

export interface Invitation {
  readonly email: string;
  /** Without a role, existing grants are kept and new ones are viewers. */
  readonly role: GrantedRole | undefined;
}

/** Shares a dataset with other users of its workspace, and withdraws access. */
@Injectable()
export class ShareDatasetUseCase {
  constructor(
    private readonly settings: Settings,
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetRepository,
    private readonly grants: DatasetMemberRepository,
    private readonly workspaces: WorkspaceMemberRepository,
    private readonly people: WorkspaceMemberReader,
    private readonly users: UserRepository,
    private readonly audit: AuditLog,
  ) {}

  async invite(datasetId: string, { email, role }: Invitation, caller: Principal): Promise<void> {
    if (!this.settings.isOn('DATASET_SHARE_ENABLED')) throw new SharingDisabledError();
    const { workspaceId } = await this.datasets.get(datasetId);
    await this.transactions.run(async () => {
      // The user may become a viewer of the workspace meanwhile and must not keep a higher role here.
      await this.workspaces.lock(workspaceId);
      const { ownerId } = await this.datasets.lock(datasetId);
      const person = await this.memberOf(workspaceId, email);
      if (person.userId === ownerId || person.userId === caller.userId) return;
      const before = await this.grants.find(datasetId, person.userId);
      const granted = capped(role ?? before ?? 'viewer', person.workspaceRole);
      if (granted === before) return;
      await this.grants.save(datasetId, { userId: person.userId, role: granted }, new Date());
      await this.audit.recordBy(caller, 'dataset_shared', datasetId, { email: person.email, role: granted });
    });
  }

  /** Works even if sharing is disabled. */
  async withdraw(datasetId: string, email: string, caller: Principal): Promise<void> {
    await this.transactions.run(async () => {
      const { ownerId } = await this.datasets.lock(datasetId);
      const user = await this.users.findByEmail(email);
      if (user?.id === ownerId) throw new OwnerKeepsAccessError();
      if (user === undefined || !(await this.grants.delete(datasetId, user.id))) throw new NotSharedError();
      await this.audit.recordBy(caller, 'dataset_unshared', datasetId, { email: user.email });
    });
  }

  private async memberOf(workspaceId: string, email: string): Promise<Principal> {
    const user = await this.users.findByEmail(email);
    const person = user && (await this.people.find(workspaceId, user.id));
    if (person === undefined) throw new InvitedUserNotFoundError();
    return person;
  }
}
