import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import type { ObjectStore } from '../../../common/storage/object-store';
import { OBJECT_STORE } from '../../../common/storage/storage.module';
import type { TagLists } from './domain/tag-lists';
import { TagFileRepository } from './persistence/tag-file.repository';
import { decodeTags, encodeTags } from './tag-file';

const keyOf = (id: string): string => `tags/${id}.arrow`;

/** Every version of every dataset's assignments; once written, a file never changes. */
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

  async remove(id: string): Promise<void> {
    await this.store.delete([keyOf(id)]);
    await this.files.delete(id);
  }
}
