import { open } from 'node:fs/promises';
import pMap from 'p-map';
import { everyObject, type ObjectStore } from '../../../platform/storage/object-store';
import { bytesOf as bytesOfArray } from './encoded-lists';
import type { OrderedVectors } from './ordered-vectors';
import { bytesOf, PIECE_BYTES, pieceKey, type StoredFile } from './stored-layout';

const AT_ONCE = 4;

type Read = (from: number, to: number) => Promise<Uint8Array>;

/** Uploads what the steps need of the vectors. Existing pieces are skipped: the prefix belongs to these vectors alone. */
export async function storePieces(
  store: ObjectStore,
  prefix: string,
  ordered: OrderedVectors,
  signal: AbortSignal,
): Promise<void> {
  const { probed, scale, blockStart, firstBlock } = ordered;
  const index = new Uint8Array(bytesOf(ordered.shape, 'index'));
  let filled = 0;
  for (const array of [scale, blockStart, firstBlock]) {
    index.set(bytesOfArray(array), filled);
    filled += array.byteLength;
  }
  const inMemory =
    (bytes: Uint8Array): Read =>
    (from, to) =>
      // Copied, because the body of a request must not be shared memory.
      Promise.resolve(bytes.slice(from, to));
  const known = new Set<string>();
  for await (const { key } of everyObject(store, prefix)) known.add(key);
  const of = { store, prefix, ordered, known, signal };
  await storeFile(of, 'probed', inMemory(bytesOfArray(probed)));
  await storeFile(of, 'index', inMemory(index));
  await storePath(of, 'blocks', ordered.blockFile);
  await storePath(of, 'vectors', ordered.vectorFile);
}

interface Storing {
  readonly store: ObjectStore;
  readonly prefix: string;
  readonly ordered: OrderedVectors;
  readonly known: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

async function storePath(of: Storing, file: StoredFile, path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await storeFile(of, file, async (from, to) => {
      const bytes = new Uint8Array(to - from);
      for (let at = 0; at < bytes.length;) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, from + at);
        if (bytesRead === 0) throw new Error(`The scratch file ${path} ends at ${from + at} instead of ${to} bytes`);
        at += bytesRead;
      }
      return bytes;
    });
  } finally {
    await handle.close();
  }
}

async function storeFile(
  { store, prefix, ordered, known, signal }: Storing,
  file: StoredFile,
  read: Read,
): Promise<void> {
  const size = bytesOf(ordered.shape, file);
  const pieces = Array.from({ length: Math.ceil(size / PIECE_BYTES) }, (_, piece) => piece);
  const missing = pieces.filter((piece) => !known.has(pieceKey(prefix, file, piece)));
  await pMap(
    missing,
    async (piece) => {
      const bytes = await read(piece * PIECE_BYTES, Math.min(size, (piece + 1) * PIECE_BYTES));
      await store.put(pieceKey(prefix, file, piece), bytes);
    },
    { concurrency: AT_ONCE, signal },
  );
}
