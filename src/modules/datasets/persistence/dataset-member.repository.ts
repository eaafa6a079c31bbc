import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Not, Repository } from 'typeorm';
import type { GrantedRole } from '../domain/dataset-role';
import { DatasetEntity, DatasetMemberEntity } from './dataset.entity';

export interface DatasetGrant {
  readonly userId: string;
  readonly role: GrantedRole;
}

/** Users that datasets are shared with. Owners need no grant. */
@Injectable()
export class DatasetMemberRepository {
  constructor(@InjectRepository(DatasetMemberEntity) private readonly members: Repository<DatasetMemberEntity>) {}

  /** Ordered by the time of sharing. */
  listOfDataset(datasetId: string): Promise<DatasetGrant[]> {
    return this.members.find({ where: { datasetId }, order: { createdAt: 'ASC', userId: 'ASC' } });
  }

  async find(datasetId: string, userId: string): Promise<GrantedRole | undefined> {
    return (await this.members.findOneBy({ datasetId, userId }))?.role;
  }

  /** Inserts or replaces the grant. */
  async save(datasetId: string, { userId, role }: DatasetGrant, now: Date): Promise<void> {
    await this.members
      .createQueryBuilder()
      .insert()
      .values({ datasetId, userId, role, createdAt: now })
      .orUpdate(['role'], ['dataset_id', 'user_id'])
      .execute();
  }

  /** Returns whether there was one. */
  async delete(datasetId: string, userId: string): Promise<boolean> {
    return (await this.members.delete({ datasetId, userId })).affected === 1;
  }

  async reduceToViewer(userId: string, workspaceId?: string): Promise<void> {
    const members = this.members.createQueryBuilder();
    const reduced = members.update({ role: 'viewer' }).where({ userId, role: Not('viewer') });
    if (workspaceId !== undefined) {
      const inside = members
        .subQuery()
        .select('dataset.id')
        .from(DatasetEntity, 'dataset')
        .where('dataset.workspaceId = :workspaceId');
      reduced.andWhere(`dataset_id IN ${inside.getQuery()}`, { workspaceId });
    }
    await reduced.execute();
  }

  /** Deletes grants of the user on datasets that they now own. */
  async deleteOfOwner(userId: string): Promise<void> {
    const members = this.members.createQueryBuilder();
    const owned = members
      .subQuery()
      .select('dataset.id')
      .from(DatasetEntity, 'dataset')
      .where('dataset.ownerId = :userId');
    await members.delete().where({ userId }).andWhere(`dataset_id IN ${owned.getQuery()}`, { userId }).execute();
  }
}
