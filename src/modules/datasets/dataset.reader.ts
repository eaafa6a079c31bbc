import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/http/principal';
import type { Dataset } from './domain/dataset';
import { DatasetNotFoundError } from './domain/dataset-errors';
import { roleOf, type DatasetRole } from './domain/dataset-role';
import { DatasetRepository } from './persistence/dataset.repository';

export interface AccessibleDataset {
  readonly dataset: Dataset;
  readonly role: DatasetRole;
}

/** What other modules may know of datasets. */
@Injectable()
export class DatasetReader {
  constructor(private readonly datasets: DatasetRepository) {}

  async get(id: string): Promise<Dataset> {
    const dataset = await this.datasets.find(id);
    if (dataset === undefined) throw new DatasetNotFoundError();
    return dataset;
  }

  find(id: string): Promise<Dataset | undefined> {
    return this.datasets.find(id);
  }

  async listAccessible(principal: Principal): Promise<AccessibleDataset[]> {
    const datasets = await this.datasets.listOfWorkspace(principal.workspaceId);
    return datasets.flatMap((dataset) => {
      const role = roleOf(principal, dataset);
      return role === undefined ? [] : [{ dataset, role }];
    });
  }

  async roleOn(principal: Principal, id: string): Promise<DatasetRole | undefined> {
    const dataset = await this.datasets.find(id);
    return dataset === undefined ? undefined : roleOf(principal, dataset);
  }
}
