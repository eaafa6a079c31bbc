import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '../../../common/platform/storage/object-store';
import { OBJECT_STORE } from '../../../common/platform/storage/storage.module';
import type { TagLists } from './domain/tag-lists';
import { TagFileRepository } from './persistence/tag-file.repository';
import { decodeTags, encodeTags } from './tag-file';

const PREFIX = 'tags/';
const keyOf = (id: string): string => `${PREFIX}${id}.arrow`;
const KEY = /^tags\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.arrow$/;

/** Stores tag assignments, one immutable file for each version. */
@Injectable()
export class TagFiles {
  constructor(
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
    private readonly files: TagFileRepository,
  ) {}

  async write(lists: TagLists): Promise<string> {
    const id = randomUUID();
    await this.files.insert(id);
    await this.store.put(keyOf(id), encodeTags(lists));
    return id;
  }

  async read(id: string): Promise<TagLists> {
    return decodeTags(await buffer(await this.store.get(keyOf(id))));
  }

  /** Deletes files written before this time that the database doesn't know. Returns how many. */
  async removeUnknown(writtenBefore: Date): Promise<number> {
    let removed = 0;
    let after: string | undefined;
    do {
      const page = await this.store.list(PREFIX, after === undefined ? {} : { after });
      const old = page.objects.flatMap(({ key, lastModified }) => {
        const id = lastModified < writtenBefore ? KEY.exec(key)?.[1] : undefined;
        return id === undefined ? [] : [id];
      });
      const known = await this.files.knownAmong(old);
      const unknown = old.filter((id) => !known.has(id));
      await this.store.delete(unknown.map(keyOf));
      removed += unknown.length;
      after = page.next;
    } while (after !== undefined);
    return removed;
  }

  async remove(id: string): Promise<void> {
    await this.store.delete([keyOf(id)]);
    await this.files.delete(id);
  }
}
