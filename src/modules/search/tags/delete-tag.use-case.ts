import { Injectable } from '@nestjs/common';
import { cleared, TagRepository } from '../../versions';
import { AssignmentChanges } from './assignment-changes';
import { TagNotFoundError } from './domain/tag-errors';

@Injectable()
export class DeleteTagUseCase {
  constructor(
    private readonly tags: TagRepository,
    private readonly changes: AssignmentChanges,
  ) {}

  async delete(datasetId: string, tagId: string): Promise<void> {
    await this.changes.apply(datasetId, {
      operation: 'delete_tag',
      make: (before) => cleared(before, tagId),
      commit: async () => {
        if ((await this.tags.find(datasetId, tagId)) === undefined) throw new TagNotFoundError();
        await this.tags.delete(datasetId, tagId);
      },
    });
  }
}
