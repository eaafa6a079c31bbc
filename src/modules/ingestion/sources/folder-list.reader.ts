import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { sampleFolder } from '../../../common/platform/config/environment.schema';
import { ForbiddenError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { isInside } from '../../../common/platform/storage/sources/media-roots';
import {
  MediaSources,
  SourceNotAllowedError,
  SourceNotFoundError,
} from '../../../common/platform/storage/sources/source-files';
import { fileSource } from '../../../common/platform/storage/sources/source-location';
import { classifyFileName } from '../../tables';
import { SourceMedia } from './source-media';

/** The maximum of entries read from a folder; further entries are left out. */
const MOST_ENTRIES = 20_000;
/** Node's replacement for bytes that are not UTF-8: the file system has no such name. */
const UNREADABLE_NAME = '\ufffd';

const BY_NAME = new Intl.Collator('en', { numeric: true });

export interface ListedFolder {
  readonly name: string;
  readonly path: string;
}

export interface FolderList {
  /** Null for the list of the roots. */
  readonly path: string | null;
  /** Null if the roots are above. */
  readonly parent: string | null;
  /** The folders of the page, in alphabetical order. */
  readonly folders: readonly ListedFolder[];
  readonly total: number;
  /** The number of images and videos in the folder, without subfolders. */
  readonly media: number;
  readonly isComplete: boolean;
}

const isMedia = (name: string): boolean => ['image', 'video'].includes(classifyFileName(name));

/** Lists folders below MEDIA_ROOTS. */
@Injectable()
export class FolderListReader {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sources: MediaSources,
    private readonly media: SourceMedia,
  ) {}

  /** Without roots inside another root, and without the folder of the sample if it does not exist. */
  private async roots(): Promise<readonly ListedFolder[]> {
    const { mediaRoots, dataDir } = this.configuration;
    const sample = sampleFolder(dataDir);
    const isBelow = (path: string): boolean => mediaRoots.some((root) => root !== path && isInside(root, path));
    const isSampleThere = await stat(sample).then(
      () => true,
      () => false,
    );
    return mediaRoots
      .filter((path) => !isBelow(path) && (path !== sample || isSampleThere))
      .map((path) => ({ name: path, path }));
  }

  async page(asked: string | undefined, page: number, limit: number): Promise<FolderList> {
    const { folders, ...list } =
      asked === undefined
        ? { path: null, parent: null, folders: await this.roots(), media: 0, isComplete: true }
        : await this.within(resolve(this.media.withHome(asked)));
    return { ...list, total: folders.length, folders: folders.slice(page * limit, (page + 1) * limit) };
  }

  private async within(path: string): Promise<Omit<FolderList, 'total'>> {
    try {
      if (this.isInRoots(path)) await this.sources.assertReachable(fileSource(path));
      const real = (await this.sources.localPath(fileSource(path)))!;
      const isInStore = await this.media.storeFolders();
      if (isInStore(real)) throw new SourceNotFoundError(`Nothing is at ${path}.`);
      const read = await this.read(path, (name) => !isInStore(join(real, name)));
      return { path, parent: this.parentOf(path), ...read };
    } catch (error) {
      if (error instanceof SourceNotFoundError) throw new NotFoundError(error.message);
      if (error instanceof SourceNotAllowedError) throw new ForbiddenError(error.message);
      throw error;
    }
  }

  private parentOf(path: string): string | null {
    const parent = dirname(path);
    return parent !== path && this.isInRoots(parent) ? parent : null;
  }

  private isInRoots(path: string): boolean {
    return this.configuration.mediaRoots.some((root) => isInside(root, path));
  }

  private async read(
    path: string,
    isShown: (name: string) => boolean,
  ): Promise<Pick<FolderList, 'folders' | 'media' | 'isComplete'>> {
    const folders: ListedFolder[] = [];
    let [media, read] = [0, 0];
    for await (const { name, isFolder } of this.sources.entriesIn(path)) {
      read += 1;
      if (read > MOST_ENTRIES) break;
      if (isFolder && isShown(name) && !name.includes(UNREADABLE_NAME)) folders.push({ name, path: join(path, name) });
      if (!isFolder && isMedia(name)) media += 1;
    }
    folders.sort((a, b) => BY_NAME.compare(a.name, b.name));
    return { folders, media, isComplete: read <= MOST_ENTRIES };
  }
}
