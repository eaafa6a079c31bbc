import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { nameKey, type Tag } from '../domain/tag-lists';

/** The id is unique within a dataset only: clones share files that refer to tags by id. */
@Entity('tag')
@Index(['datasetId', 'nameKey'], { unique: true })
export class TagEntity {
  @PrimaryColumn('uuid')
  datasetId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  /** Unique key of the name within the dataset. */
  @Column('text')
  nameKey!: string;

  @Column('uuid')
  createdBy!: string;

  @Column('timestamptz')
  createdAt!: Date;
}

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
  constructor(@InjectRepository(TagEntity) private readonly tags: Repository<TagEntity>) {}

  async insert(tag: Tag): Promise<void> {
    await this.tags.insert({ ...tag, nameKey: nameKey(tag.name) });
  }

  async find(datasetId: string, id: string): Promise<Tag | undefined> {
    const row = await this.tags.findOneBy({ datasetId, id });
    return row === null ? undefined : toTag(row);
  }

  /** Case-insensitive. */
  async findByName(datasetId: string, name: string): Promise<Tag | undefined> {
    const row = await this.tags.findOneBy({ datasetId, nameKey: nameKey(name) });
    return row === null ? undefined : toTag(row);
  }

  async list(datasetId: string): Promise<Tag[]> {
    const rows = await this.tags.find({ where: { datasetId }, order: { nameKey: 'ASC', id: 'ASC' } });
    return rows.map(toTag);
  }

  async rename(datasetId: string, id: string, name: string): Promise<void> {
    await this.tags.update({ datasetId, id }, { name, nameKey: nameKey(name) });
  }

  async replaceAll(datasetId: string, tags: readonly Tag[]): Promise<void> {
    await this.tags.delete({ datasetId });
    for (let start = 0; start < tags.length; start += TAGS_PER_INSERT) {
      const part = tags.slice(start, start + TAGS_PER_INSERT);
      await this.tags.insert(part.map((tag) => ({ ...tag, nameKey: nameKey(tag.name) })));
    }
  }

  async delete(datasetId: string, id: string): Promise<void> {
    await this.tags.delete({ datasetId, id });
  }
}
