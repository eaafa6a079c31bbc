import { parseSource } from '../../../common/platform/storage/sources/source-location';
import {
  RoleRefusedError,
  SourceNotAllowedError,
  SourceNotFoundError,
  type MediaSources,
} from '../../../common/platform/storage/sources/source-files';
import type { MediaBatches } from '../archive/archive-format';
import type { ArchiveMember } from '../../../common/platform/archives/zip-bytes';
import { ImageNames } from '../domain/image-names';
import type { ItemRow, MediaItem } from '../domain/media-item';

/** Larger images are streamed. */
const MOST_WHOLE_BYTES = 16 * 2 ** 20;
const AT_ONCE = 4;

type Read = { readonly bytes: Uint8Array } | { readonly stream: AsyncIterable<Uint8Array> } | { readonly error: Error };

/** The originals of an export; records the unreadable ones. */
export class ImageMembers {
  /** The reason by media id. */
  private readonly missing = new Map<string, string>();

  constructor(
    private readonly sources: MediaSources,
    private readonly items: MediaBatches,
  ) {}

  get missed(): number {
    return this.missing.size;
  }

  async *members(): AsyncGenerator<ArchiveMember> {
    const names = new ImageNames();
    for await (const batch of this.items()) {
      const reading: Promise<Read>[] = [];
      let next = 0;
      for (const { row } of batch) {
        while (next < batch.length && reading.length < AT_ONCE) reading.push(this.read(batch[next++]!.row));
        const read = await reading.shift()!;
        const name = `images/${names.of(row.id, row.fileName)}`;
        if ('bytes' in read) yield { name, bytes: read.bytes };
        else if ('error' in read) this.miss(row, read.error);
        else yield { name, stream: read.stream, level: 0, onBroken: (error) => this.miss(row, error) };
      }
    }
  }

  /** The items again, with the names of their images in the archive. */
  async *named(): AsyncGenerator<readonly MediaItem[]> {
    const names = new ImageNames();
    for await (const batch of this.items()) {
      yield batch.map((item) => {
        const name = names.of(item.row.id, item.row.fileName);
        const imageError = this.missing.get(item.row.id) ?? null;
        return { ...item, imageError, imageName: imageError === null ? name : null };
      });
    }
  }

  private async read({ source, sizeBytes }: ItemRow): Promise<Read> {
    if (sizeBytes > MOST_WHOLE_BYTES) return { stream: this.opened(source) };
    try {
      return { bytes: await this.sources.read(source) };
    } catch (error) {
      return { error: error as Error };
    }
  }

  /** Opened when its turn comes. */
  private async *opened(source: string): AsyncGenerator<Uint8Array> {
    yield* (await this.sources.open(source)) as AsyncIterable<Uint8Array>;
  }

  /** Whether an image is permanently unreadable. Temporary failures fail the attempt instead, and the export is retried. */
  private miss({ id, source }: ItemRow, error: Error): void {
    const isGone =
      error instanceof SourceNotFoundError ||
      error instanceof SourceNotAllowedError ||
      error instanceof RoleRefusedError ||
      parseSource(source).kind === 'file';
    if (!isGone) throw error;
    this.missing.set(id, error.message);
  }
}
