import { realpath } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../common/config/configuration';
import { MediaSources } from '../../common/storage/source-files';
import { isOwnKey } from './domain/own-keys';
import type { SourceFile } from './domain/source-file';
import type { UnreadablePlaces } from './domain/unreadable-places';

/** The files of a folder or bucket, without what the service keeps there itself. */
@Injectable()
export class SourceMedia {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sources: MediaSources,
  ) {}

  async *list(uri: string, unreadable: UnreadablePlaces): AsyncGenerator<SourceFile> {
    const store = await this.storeUri();
    const onUnreadable = (path: string, reason: string): void => unreadable.add(path, reason);
    for await (const { source, path, size } of this.sources.enumerate(uri, { onUnreadable })) {
      if (source.startsWith(store) && isOwnKey(source.slice(store.length))) continue;
      yield { source, path, size };
    }
  }

  /** As the sources of its objects begin, were they enumerated. */
  private async storeUri(): Promise<string> {
    const { storageUrl } = this.configuration;
    if (!storageUrl.startsWith('file:')) return `${storageUrl.replace(/\/+$/, '')}/`;
    return `${pathToFileURL(await realpath(fileURLToPath(storageUrl))).href.replace(/\/$/, '')}/`;
  }
}
