import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { Settings } from '../settings';
import { UserRepository, WorkspaceDirectory } from '../workspaces';
import { DatasetReader } from './dataset.reader';
import { capped, type DatasetRole } from './domain/dataset-role';
import { SharingDisabledError } from './domain/sharing-errors';
import { DatasetMemberRepository } from './persistence/dataset-member.repository';

export interface DatasetShare {
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
