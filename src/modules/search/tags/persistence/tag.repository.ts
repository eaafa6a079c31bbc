import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../../common/platform/database/transaction-runner';
import { nameKey, type Tag } from '../domain/tag';
import { TagEntity } from './tag.entity';

const TAGS_PER_INSERT = 1_000;

const toTag = ({ id, datasetId, name, createdBy, createdAt }: TagEntity): Tag => ({
  id,
  datasetId,
  name,
  createdBy,
  createdAt,
});

@Injectable()
export class TagRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  async insert(tag: Tag): Promise<void> {
    await this.transactions.current().insert(TagEntity, { ...tag, nameKey: nameKey(tag.name) });
  }

  async find(datasetId: string, id: string): Promise<Tag | undefined> {
    const row = await this.transactions.current().findOneBy(TagEntity, { datasetId, id });
    return row === null ? undefined : toTag(row);
  }

  /** Whatever the capitals. */
  async findByName(datasetId: string, name: string): Promise<Tag | undefined> {
    const row = await this.transactions.current().findOneBy(TagEntity, { datasetId, nameKey: nameKey(name) });
    return row === null ? undefined : toTag(row);
  }

  async list(datasetId: string): Promise<Tag[]> {
    const rows = await this.transactions
      .current()
      .find(TagEntity, { where: { datasetId }, order: { nameKey: 'ASC', id: 'ASC' } });
    return rows.map(toTag);
  }

  async rename(datasetId: string, id: string, name: string): Promise<void> {
    await this.transactions.current().update(TagEntity, { datasetId, id }, { name, nameKey: nameKey(name) });
  }

  async replaceAll(datasetId: string, tags: readonly Tag[]): Promise<void> {
    const manager = this.transactions.current();
    await manager.delete(TagEntity, { datasetId });
    for (let start = 0; start < tags.length; start += TAGS_PER_INSERT) {
      const part = tags.slice(start, start + TAGS_PER_INSERT);
      await manager.insert(
        TagEntity,
        part.map((tag) => ({ ...tag, nameKey: nameKey(tag.name) })),
      );
    }
  }

  async delete(datasetId: string, id: string): Promise<void> {
    await this.transactions.current().delete(TagEntity, { datasetId, id });
  }
}
