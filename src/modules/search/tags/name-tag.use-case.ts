import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { DatasetReader } from '../../datasets';
import { TagRepository, type Tag } from '../../versions';
import { assertTaggable, type TagOperation, TagNameTakenError, TagNotFoundError } from './domain/tag-errors';

/** Creates or renames a tag; names are unique within a dataset. */
@Injectable()
export class NameTagUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly datasets: DatasetReader,
    private readonly tags: TagRepository,
  ) {}

  create(datasetId: string, name: string, createdBy: string): Promise<Tag> {
    return this.whileLocked('create_tag', datasetId, async () => {
      if ((await this.tags.findByName(datasetId, name)) !== undefined) throw new TagNameTakenError(name);
      const tag: Tag = { id: randomUUID(), datasetId, name, createdBy, createdAt: new Date() };
      await this.tags.insert(tag);
      return tag;
    });
  }

  /** Returns the id of the tag with this name, and creates the tag if it does not exist. */
  findOrCreate(datasetId: string, name: string, createdBy: string): Promise<string> {
    return this.whileLocked('create_tag', datasetId, async () => {
      const known = await this.tags.findByName(datasetId, name);
      if (known !== undefined) return known.id;
      const tag: Tag = { id: randomUUID(), datasetId, name, createdBy, createdAt: new Date() };
      await this.tags.insert(tag);
      return tag.id;
    });
  }

  rename(datasetId: string, tagId: string, name: string): Promise<void> {
    return this.whileLocked('rename_tag', datasetId, async () => {
      if ((await this.tags.find(datasetId, tagId)) === undefined) throw new TagNotFoundError();
      const namesake = await this.tags.findByName(datasetId, name);
      if (namesake !== undefined && namesake.id !== tagId) throw new TagNameTakenError(name);
      await this.tags.rename(datasetId, tagId, name);
    });
  }

  private whileLocked<T>(operation: TagOperation, datasetId: string, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(async () => {
      assertTaggable(operation, await this.datasets.lock(datasetId));
      return work();
    });
  }
}
