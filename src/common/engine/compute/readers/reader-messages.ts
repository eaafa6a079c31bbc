import type { MediaSources } from '../../../platform/storage/sources/source-files';
import type { ObjectStore } from '../../../platform/storage/object-store';
import type { SerializedError } from '../../../platform/outage/outage';
import type { StorageConfig } from '../../../platform/storage/create-storage';

/** Reading a file exceeded a limit. The message continues a sentence whose subject is the file. */
export class ReadLimitError extends Error {}

/** The maximum size of a piece. The parent holds a piece in memory, several times while it receives it. */
export const MAX_PIECE_BYTES = 32 * 1024 * 1024;

/** Exported as `read` by a module that runs in a reader child. A piece has at most MAX_PIECE_BYTES. */
export type FileReader<Input, Piece> = (input: Input, sources: MediaSources) => AsyncIterable<Piece>;

/** A file that is being received, and the store for its contents. */
export interface ArrivingBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly store: ObjectStore;
}

/** Exported as `readStream` by a module that runs in a reader child. It must settle only after all its work has ended. */
export type StreamReader<Input, Piece> = (input: Input, arriving: ArrivingBytes) => AsyncIterable<Piece>;

export interface ReaderLimits {
  readonly memoryBytes: number;
  /**
   * CPU time: waiting for the disk, the store or the parent does not count. For a stream, the limit applies between two chunks, because a stream may be
   * long.
   */
  readonly seconds: number;
}

export type ReaderConfig = Omit<StorageConfig, 'secretKey'>;

export type ToReader =
  | {
      readonly type: 'read';
      /** The file that exports the reader. */
      readonly module: string;
      readonly input: unknown;
      /** Whether the file is received on standard input. */
      readonly isStream: boolean;
      readonly config: ReaderConfig;
      readonly limits: ReaderLimits;
    }
  /** The last piece was consumed, so the next one can be sent. */
  | { readonly type: 'more' };

export type FromReader =
  | { readonly type: 'piece'; readonly serialized: Uint8Array }
  | { readonly type: 'end' }
  /** The bytes could not be read from the source. Errors in the content are reported in pieces. */
  | { readonly type: 'failed'; readonly name: string; readonly error: SerializedError };

/** The signals with which a child ends itself. */
export const MEMORY_SIGNAL = 'SIGUSR2';
export const TIME_SIGNAL = 'SIGALRM';
