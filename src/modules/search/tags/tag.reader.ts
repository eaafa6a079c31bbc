import { Injectable } from '@nestjs/common';
import { DatasetReader } from '../../datasets';
import type { CountedTag } from './domain/tag';
import { TagNotFoundError } from './domain/tag-errors';
import { TagRepository } from './persistence/tag.repository';
import { TagAssignmentsCache } from './tag-assignments-cache';

@Injectable()
export class TagReader {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly tags: TagRepository,
    private readonly assignments: TagAssignmentsCache,
  ) {}

  /** By id. */
  async namesOf(datasetId: string): Promise<Map<string, string>> {
    const tags = await this.tags.list(datasetId);
    return new Map(tags.map(({ id, name }) => [id, name]));
  }

  /** By name. */
  async list(datasetId: string): Promise<CountedTag[]> {
    const { pointer } = await this.datasets.get(datasetId);
    const tags = await this.tags.list(datasetId);
    if (pointer === null) return tags.map(({ id, name }) => ({ id, name, items: 0 }));
    const assignments = await this.assignments.open(pointer);
    return tags.map(({ id, name }) => ({ id, name, items: assignments.with(id).length }));
  }

  async get(datasetId: string, id: string): Promise<CountedTag> {
    const tag = (await this.list(datasetId)).find((each) => each.id === id);
    if (tag === undefined) throw new TagNotFoundError();
    return tag;
  }
}
