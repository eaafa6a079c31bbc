import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path/posix';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import {
  MediaSources,
  SourceNotAllowedError,
  SourceNotFoundError,
  type SourceStat,
} from '../../../common/platform/storage/sources/source-files';
import {
  fileSource,
  parseSource,
  withoutRole,
  withRole,
} from '../../../common/platform/storage/sources/source-location';
import { trimEndOf } from '../../../common/platform/text/texts';
import { expandHome, parseSourceLocation, type SourceLocation } from './domain/source-location';
import { classifyFileName, type SourceFile } from '../../tables';
import { isOwnKey } from '../storage-keys';
import type { UnreadablePlaces } from './domain/unreadable-places';
import {
  manifestFolderOf,
  resolveEntry,
  type ManifestFolder,
  manifestKindOf,
  SeenKeys,
} from './manifests/manifest-entry';
import { ManifestFiles } from './manifests/manifest-files';
import type { ManifestSource } from './manifests/manifest.reader';

/** Entries of a manifest that are tried before it counts as one without media. */
const ENTRIES_TRIED = 100;

interface Manifest extends ManifestSource {
  readonly folder: ManifestFolder;
}

/** Lists the files of a folder, bucket or manifest, without the service's own files. */
@Injectable()
export class SourceMedia {
  constructor(
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    private readonly sources: MediaSources,
    private readonly manifests: ManifestFiles,
  ) {}

  /** Parses the location of media that a caller gives. */
  locationOf(text: string): SourceLocation {
    return parseSourceLocation(this.withHome(text.trim()));
  }

  /** `~` is the home of the service. */
  withHome(path: string): string {
    return expandHome(path, homedir(), this.configuration.mediaRoots);
  }

  /** Recognises real paths of the store and below it. */
  async storeFolders(): Promise<(path: string) => boolean> {
    const store = await this.storeUri();
    return (path) => `${fileSource(path)}/`.startsWith(store);
  }

  /** A role is assumed for reading buckets; the listed files include it in their location. */
  async *list(uri: string, unreadable: UnreadablePlaces, role: string | null = null): AsyncGenerator<SourceFile> {
    const location = withRole(uri, role);
    const manifest = await this.manifestAt(location);
    if (manifest === undefined) yield* this.listPlace(location, unreadable);
    else yield* this.listManifest(manifest, unreadable);
  }

  /** Whether there is an image or video; for a manifest, whether one of its first entries is a file. */
  async holdsMedia(uri: string, unreadable: UnreadablePlaces, role: string | null = null): Promise<boolean> {
    const isManifest = (await this.manifestAt(withRole(uri, role))) !== undefined;
    let tried = 0;
    for await (const { path, source } of this.list(uri, unreadable, role)) {
      const kind = classifyFileName(path);
      if (kind !== 'image' && kind !== 'video') continue;
      if (!isManifest || (await this.isThere(source, unreadable))) return true;
      tried += 1;
      if (tried === ENTRIES_TRIED) return false;
    }
    return false;
  }

  /** Throws an outage while the media folder around a location is away. */
  assertReachable(source: string): Promise<void> {
    return this.sources.assertReachable(source);
  }

  /** The common prefix of the files; undefined for a manifest, whose entries may be anywhere. */
  async rootOf(uri: string): Promise<string | undefined> {
    if ((await this.manifestAt(uri)) !== undefined) return undefined;
    const path = await this.sources.localPath(uri);
    return trimEndOf(path === undefined ? withoutRole(uri) : fileSource(path), '/');
  }

  /** Undefined if the file doesn't exist. */
  async statOf(source: string): Promise<SourceStat | undefined> {
    try {
      return await this.sources.stat(source);
    } catch (error) {
      if (error instanceof SourceNotFoundError) return undefined;
      throw error;
    }
  }

  private async *listPlace(uri: string, unreadable: UnreadablePlaces): AsyncGenerator<SourceFile> {
    const isOwn = await this.ownFiles();
    const onUnreadable = (path: string, reason: string): void => unreadable.add(path, reason);
    for await (const { source, path, size, etag } of this.sources.enumerate(uri, { onUnreadable })) {
      if (!isOwn(source)) yield { source, path, size, version: etag };
    }
  }

  private async *listManifest(manifest: Manifest, unreadable: UnreadablePlaces): AsyncGenerator<SourceFile> {
    const isOwn = await this.ownFiles();
    const seen = new SeenKeys();
    for await (const entry of this.manifests.entriesOf(manifest)) {
      const resolved = resolveEntry(entry, manifest.folder);
      const fault = 'fault' in resolved ? resolved.fault : this.faultOf(resolved, isOwn);
      if (fault !== undefined) unreadable.skip(entry, fault);
      else if ('source' in resolved && seen.addIfNew(resolved.source)) {
        yield { ...resolved, size: await this.sizeOf(resolved), version: null };
      }
    }
  }

  private faultOf({ source, path }: { source: string; path: string }, isOwn: (source: string) => boolean) {
    if (isOwn(source)) return "is one of the service's own files";
    if (source.startsWith('file:') && this.configuration.runMode === 'CLOUD') return 'is a path of this machine';
    return classifyFileName(path) === 'unsupported' ? 'is not in a supported format' : undefined;
  }

  /** The sizes of media are read in the analysis; a request for each of a million takes longer than listing them. */
  private async sizeOf({ source, path }: { source: string; path: string }): Promise<number> {
    return classifyFileName(path) === 'annotation' ? ((await this.statOf(source))?.size ?? 0) : 0;
  }

  private async manifestAt(uri: string): Promise<Manifest | undefined> {
    const kind = manifestKindOf(uri);
    if (kind === undefined) return undefined;
    const stat = await this.statOf(uri);
    if (stat === undefined) return undefined;
    const location = parseSource(uri);
    if (location.kind !== 'file') return { kind, uri, size: stat.size, folder: manifestFolderOf(location) };
    // Use the same location as a listing of the folder would, with links resolved.
    const folder = (await this.sources.localPath(fileSource(dirname(location.path)))) ?? dirname(location.path);
    const real = { kind: 'file', path: join(folder, basename(location.path)) } as const;
    return { kind, uri, size: stat.size, folder: manifestFolderOf(real) };
  }

  private async isThere(source: string, unreadable: UnreadablePlaces): Promise<boolean> {
    try {
      return (await this.statOf(source)) !== undefined;
    } catch (error) {
      if (!(error instanceof SourceNotAllowedError)) throw error;
      unreadable.add(withoutRole(source), error.message);
      return false;
    }
  }

  /** Recognises the service's own files by their location. */
  private async ownFiles(): Promise<(source: string) => boolean> {
    const store = await this.storeUri();
    return (source) => {
      const plain = withoutRole(source);
      return plain.startsWith(store) && isOwnKey(plain.slice(store.length));
    };
  }

  private async storeUri(): Promise<string> {
    const { storageUrl } = this.configuration;
    if (!storageUrl.startsWith('file:')) return `${trimEndOf(storageUrl, '/')}/`;
    return `${pathToFileURL(await realpath(fileURLToPath(storageUrl))).href.replace(/\/$/, '')}/`;
  }
}
