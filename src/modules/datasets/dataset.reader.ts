import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/platform/http/principal';
import { WorkspaceMemberReader } from '../workspaces';
import type { Dataset } from './domain/dataset';
import { roleOf, type DatasetRole } from './domain/dataset-role';
import { DatasetMemberRepository } from './persistence/dataset-member.repository';
import { DatasetRepository } from './persistence/dataset.repository';

export interface AccessibleDataset {
  readonly dataset: Dataset;
  readonly role: DatasetRole;
}

export interface DatasetPerson {
  readonly person: Principal;
  readonly role: DatasetRole;
}

/** Read access to datasets for other modules. */
@Injectable()
export class DatasetReader {
  constructor(
    private readonly datasets: DatasetRepository,
    private readonly grants: DatasetMemberRepository,
    private readonly people: WorkspaceMemberReader,
  ) {}

  get(id: string): Promise<Dataset> {
    return this.datasets.get(id);
  }

  find(id: string): Promise<Dataset | undefined> {
    return this.datasets.find(id);
  }

  /** Locks the dataset until the transaction ends. */
  lock(id: string): Promise<Dataset> {
    return this.datasets.lock(id);
  }

  async listAccessible(principal: Principal): Promise<AccessibleDataset[]> {
    const { workspaceId, userId, workspaceRole } = principal;
    const datasets = await this.datasets.listOfWorkspace(workspaceId, userId, workspaceRole === 'admin');
    return datasets.flatMap(({ dataset, granted }) => {
      const role = roleOf(principal, dataset, granted);
      return role === undefined ? [] : [{ dataset, role }];
    });
  }

  /** Users with access now: the owner, users with grants, and admins of the workspace. */
  async listPeople(dataset: Pick<Dataset, 'id' | 'workspaceId' | 'ownerId'>): Promise<DatasetPerson[]> {
    const people = await this.people.list(dataset.workspaceId);
    const granted = new Map((await this.grants.listOfDataset(dataset.id)).map(({ userId, role }) => [userId, role]));
    return people.flatMap((person) => {
      const role = roleOf(person, dataset, granted.get(person.userId));
      return role === undefined ? [] : [{ person, role }];
    });
  }

  /** A user's current role on the dataset; undefined without access. */
  async roleOfUser(userId: string, id: string): Promise<DatasetRole | undefined> {
    const access = await this.datasets.findAccess(id, userId);
    const person = access && (await this.people.find(access.workspaceId, userId));
    return person && roleOf(person, access, access.granted);
  }

  async roleOn(principal: Principal, id: string): Promise<DatasetRole | undefined> {
    const access = await this.datasets.findAccess(id, principal.userId);
    return access && roleOf(principal, access, access.granted);
  }
}
