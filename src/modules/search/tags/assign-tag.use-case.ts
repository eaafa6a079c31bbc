import { Injectable } from '@nestjs/common';
import { assigned, TagRepository, unassigned, cleared } from '../../versions';
import type { MediaSelection } from '../selection/selection-errors';
import { SelectionResolver } from '../selection/selection-resolver';
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

const CHANGES = { assign_tag: assigned, unassign_tag: unassigned } as const;

/** Assigns a tag to a selection, or removes it. */
@Injectable()
export class AssignTagUseCase {
  constructor(
    private readonly tags: TagRepository,
    private readonly selections: SelectionResolver,
    private readonly changes: AssignmentChanges,
  ) {}

  /** Returns how many of the selected rows changed. */
  run(operation: keyof typeof CHANGES, datasetId: string, tagId: string, selection: MediaSelection): Promise<number> {
    return this.changes.apply(datasetId, {
      operation,
      make: async (before, pointer) => {
        await this.assertExists(datasetId, tagId);
        const rows = await this.selections.resolve(datasetId, pointer, selection);
        return CHANGES[operation](before, tagId, rows.toArray());
      },
      commit: () => this.assertExists(datasetId, tagId),
    });
  }

  private async assertExists(datasetId: string, tagId: string): Promise<void> {
    if ((await this.tags.find(datasetId, tagId)) === undefined) throw new TagNotFoundError();
  }
}
