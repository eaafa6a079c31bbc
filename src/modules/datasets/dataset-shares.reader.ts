import { Injectable } from '@nestjs/common';
import { Settings } from '../settings';
import { UserRepository, WorkspaceMemberReader } from '../workspaces';
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
    private readonly people: WorkspaceMemberReader,
    private readonly users: UserRepository,
  ) {}

  /** Its owner first, then in the order of sharing. */
  async list(datasetId: string): Promise<DatasetShare[]> {
    if (!this.settings.isOn('DATASET_SHARE_ENABLED')) throw new SharingDisabledError();
    const { workspaceId, ownerId } = await this.datasets.get(datasetId);
    const owner = await this.users.find(ownerId);
    const members = new Map((await this.people.list(workspaceId)).map((person) => [person.userId, person]));
    const shares = (await this.grants.listOfDataset(datasetId)).flatMap(({ userId, role }): DatasetShare[] => {
      const person = members.get(userId);
      return person === undefined ? [] : [{ email: person.email, role: capped(role, person.workspaceRole) }];
    });
    return owner === undefined ? shares : [{ email: owner.email, role: 'owner' }, ...shares];
  }
}
