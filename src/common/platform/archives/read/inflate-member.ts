import { once } from 'node:events';
import { Readable } from 'node:stream';
import { createInflateRaw, inflateRawSync, type InflateRaw } from 'node:zlib';
import { errorCode } from '../../errors/error-code';
import { ArchiveRefusedError } from './archive-errors';
import { ByteReader } from './byte-reader';

const CHUNK_BYTES = 64 * 1024;
/** Setting up a stream costs more than inflating a small member at once; this many bytes inflate in about a millisecond. */
const AT_ONCE_BYTES = 256 * 1024;
const MAX_AT_ONCE_BYTES = 1024 * 1024;

/** The types lack the fields that the option `info` adds. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Inflates the given number of bytes or, where it is unknown, as many as there are. */
export async function* inflateMember(
  reader: ByteReader,
  deflatedBytes: number | undefined,
): AsyncGenerator<Buffer, undefined> {
  if (deflatedBytes === undefined || deflatedBytes > AT_ONCE_BYTES) {
    yield* inflateStream(reader, deflatedBytes);
    return;
  }
  const deflated = await reader.take(deflatedBytes);
  const inflated = inflateAtOnce(deflated);
  if (inflated === undefined) yield* inflateStream(new ByteReader(Readable.from([deflated])), deflatedBytes);
  else yield inflated;
}

/** Returns undefined if the inflated size is too large to inflate without blocking other work. */
function inflateAtOnce(deflated: Buffer): Buffer | undefined {
  try {
    const { buffer, engine } = inflateRawSync(deflated, {
      maxOutputLength: MAX_AT_ONCE_BYTES,
      info: true,
    }) as unknown as Inflated;
    if (engine.bytesWritten !== deflated.length) throw damaged();
    return buffer;
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw isFaultOfBytes(error) ? damaged() : error;
  }
}

/** Inflates up to the end marker of the deflated data; later bytes stay in the reader. */
async function* inflateStream(
  reader: ByteReader,
  deflatedBytes: number | undefined,
): AsyncGenerator<Buffer, undefined> {
  const engine = createInflateRaw({ chunkSize: CHUNK_BYTES });
  const closed = once(engine, 'close').catch(() => undefined);
  const feeding = feed(engine, reader, deflatedBytes ?? Infinity, closed);
  feeding.catch((error: unknown) => engine.destroy(error instanceof Error ? error : new Error(String(error))));
  try {
    for await (const chunk of engine as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw isFaultOfBytes(error) ? damaged() : error;
  } finally {
    engine.destroy();
  }
  await feeding;
}

const damaged = (): ArchiveRefusedError => new ArchiveRefusedError('its compressed bytes are damaged');

const isFaultOfBytes = (error: unknown): boolean => errorCode(error)?.startsWith('Z_') === true;

async function feed(engine: InflateRaw, reader: ByteReader, limit: number, closed: Promise<unknown>): Promise<void> {
  for (let left = limit; left > 0;) {
    const chunk = await reader.takeSome(left);
    const before = engine.bytesWritten;
    const written = new Promise<void>((resolve) => {
      engine.write(chunk, () => resolve());
    });
    // zlib never calls back for a write that extends beyond the end of the deflated data.
    await Promise.race([written, closed]);
    const used = engine.bytesWritten - before;
    left -= used;
    if (used === chunk.length) continue;
    reader.putBack(chunk.subarray(used));
    if (left > 0 && limit !== Infinity) throw damaged();
    return;
  }
  engine.end();
}
