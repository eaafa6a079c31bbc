import { Injectable } from '@nestjs/common';
import { DatasetReader } from '../datasets';
import { WorkspaceMemberReader } from '../workspaces';
import type { StreamScope } from './domain/stream-scope';

@Injectable()
export class StreamAccess {
  constructor(
    private readonly members: WorkspaceMemberReader,
    private readonly datasets: DatasetReader,
  ) {}

  /** Decided by the user's current access. */
  async isGranted({ workspaceId, userId, datasetId }: StreamScope): Promise<boolean> {
    const person = await this.members.find(workspaceId, userId);
    if (person === undefined) return false;
    return datasetId === undefined || (await this.datasets.roleOn(person, datasetId)) !== undefined;
  }
}
