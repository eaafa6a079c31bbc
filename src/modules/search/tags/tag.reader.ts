import { Injectable } from '@nestjs/common';
import { PublishedStateReader, TagAssignmentsCache, type Tag } from '../../versions';
import { TagNotFoundError } from './domain/tag-errors';

export interface CountedTag extends Pick<Tag, 'id' | 'name'> {
  /** The number of items with the tag in the published version. */
  readonly items: number;
}

@Injectable()
export class TagReader {
  constructor(
    private readonly states: PublishedStateReader,
    private readonly assignments: TagAssignmentsCache,
  ) {}

  /** Ordered by name. */
  async list(datasetId: string): Promise<CountedTag[]> {
    const { pointer, tagNames } = await this.states.get(datasetId);
    const assignments = await this.assignments.open(pointer ?? { tagsFile: null });
    return Array.from(tagNames, ([id, name]) => ({ id, name, items: assignments.with(id).length }));
  }

  async get(datasetId: string, id: string): Promise<CountedTag> {
    const tag = (await this.list(datasetId)).find((each) => each.id === id);
    if (tag === undefined) throw new TagNotFoundError();
    return tag;
  }
}
