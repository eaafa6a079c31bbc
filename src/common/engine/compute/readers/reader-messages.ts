import type { MediaSources } from '../../../platform/storage/source-files';
import type { ObjectStore } from '../../../platform/storage/object-store';
import type { SerializedError } from '../../../platform/outage/serialized-error';
import type { StorageConfig } from '../../../platform/storage/create-storage';

/** What a module exports as `read` to be run in a reader child; each piece that it yields must fit into one message. */
export type FileReader<Input, Piece> = (input: Input, sources: MediaSources) => AsyncIterable<Piece>;

/** A file while it arrives, and where what is found in it may be put. */
export interface ArrivingBytes {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly store: ObjectStore;
}

/** What a module exports as `readStream` to be run in a reader child, as `read` is. It ends or fails when nothing of its is under way. */
export type StreamReader<Input, Piece> = (input: Input, arriving: ArrivingBytes) => AsyncIterable<Piece>;

export interface ReaderLimits {
  readonly memoryBytes: number;
  /**
   * Of the processor: to wait for the disk, the store or the parent costs nothing. Of a stream, between two of its chunks, for its
   * length is nobody's fault.
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
      /** Its bytes come by the standard input. */
      readonly isStream: boolean;
      readonly config: ReaderConfig;
      readonly limits: ReaderLimits;
    }
  /** The last piece is taken: the next one may come. */
  | { readonly type: 'more' };

export type FromReader =
  | { readonly type: 'piece'; readonly piece: unknown }
  | { readonly type: 'end' }
  /** The bytes could not be had. What is wrong with them, a reader tells in its pieces. */
  | { readonly type: 'failed'; readonly name: string; readonly error: SerializedError };

/** Signals by which a child ends itself. */
export const MEMORY_SIGNAL = 'SIGUSR2';
export const TIME_SIGNAL = 'SIGALRM';
