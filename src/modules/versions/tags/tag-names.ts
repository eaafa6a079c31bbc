import { Injectable } from '@nestjs/common';
import type { NamedTag } from '../../datasets';
import { TagRepository } from './persistence/tag.repository';

/** The names of a dataset's tags, as stored in snapshots. The dataset must be locked. */
@Injectable()
export class TagNames {
  constructor(private readonly tags: TagRepository) {}

  async list(datasetId: string): Promise<NamedTag[]> {
    const tags = await this.tags.list(datasetId);
    return tags.map(({ id, name, createdBy, createdAt }) => ({
      id,
      name,
      createdBy,
      createdAt: createdAt.toISOString(),
    }));
  }

  async replace(datasetId: string, tags: readonly NamedTag[]): Promise<void> {
    await this.tags.replaceAll(
      datasetId,
      tags.map((tag) => ({ ...tag, datasetId, createdAt: new Date(tag.createdAt) })),
    );
  }
}
