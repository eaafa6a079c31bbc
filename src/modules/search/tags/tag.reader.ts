import { Injectable } from '@nestjs/common';
import { DatasetReader, type NamedTag } from '../../datasets';
import { SnapshotNotFoundError, SnapshotRepository } from '../../snapshots/records';
import { TagAssignmentsCache, TagRepository, type Tag } from '../../versions';
import { TagNotFoundError } from './domain/tag-errors';

export interface CountedTag extends Pick<Tag, 'id' | 'name'> {
  /** Items with the tag in the published version. */
  readonly items: number;
}

export interface WithTagNames<T> {
  readonly found: T;
  readonly names: ReadonlyMap<string, string>;
}

/** Limits the retries while tags are being assigned all the time. */
const MOST_TRIES = 3;

const byId = (tags: readonly { id: string; name: string }[]): ReadonlyMap<string, string> =>
  new Map(tags.map(({ id, name }) => [id, name]));

@Injectable()
export class TagReader {
  constructor(
    private readonly datasets: DatasetReader,
    private readonly snapshots: SnapshotRepository,
    private readonly tags: TagRepository,
    private readonly assignments: TagAssignmentsCache,
  ) {}

  /**
   * The result of `read` with the names of tags by id; with `snapshotId`, the names stored in the snapshot.
   * A restore changes both at once, so both are read again if the pointer of the dataset has changed meanwhile.
   */
  async withNames<T>(
    datasetId: string,
    snapshotId: string | undefined,
    read: () => Promise<T>,
  ): Promise<WithTagNames<T>> {
    if (snapshotId !== undefined)
      return { found: await read(), names: byId(await this.tagsOfSnapshot(datasetId, snapshotId)) };
    for (let tries = 1; ; tries++) {
      const before = await this.stateKey(datasetId);
      const found = await read();
      const names = byId(await this.tags.list(datasetId));
      if (tries === MOST_TRIES || (await this.stateKey(datasetId)) === before) return { found, names };
    }
  }

  /** Ordered by name. */
  async list(datasetId: string): Promise<CountedTag[]> {
    const { found: assignments, names } = await this.withNames(datasetId, undefined, async () => {
      const { pointer } = await this.datasets.get(datasetId);
      return this.assignments.open(pointer ?? { tagsFile: null });
    });
    return Array.from(names, ([id, name]) => ({ id, name, items: assignments.with(id).length }));
  }

  async get(datasetId: string, id: string): Promise<CountedTag> {
    const tag = (await this.list(datasetId)).find((each) => each.id === id);
    if (tag === undefined) throw new TagNotFoundError();
    return tag;
  }

  private async stateKey(datasetId: string): Promise<string> {
    const { pointer } = await this.datasets.get(datasetId);
    return JSON.stringify([pointer?.generation, pointer?.version, pointer?.tagsFile]);
  }

  private async tagsOfSnapshot(datasetId: string, snapshotId: string): Promise<readonly NamedTag[]> {
    const snapshot = await this.snapshots.find(datasetId, snapshotId);
    if (snapshot === undefined) throw new SnapshotNotFoundError();
    return snapshot.tags;
  }
}
