import type { ArchiveMember } from '../../../platform/archives/zip-bytes';
import { EVERYTHING, FAST, type AnnotationFormat } from '../annotation-format';
import type { FilePicture } from '../file-picture';
import { presentAnnotation } from '../present-annotation';
import { tarEnd, tarMember } from './tar-bytes';

const SAMPLES_PER_SHARD = 10_000;
const MOST_BYTES = 512 * 2 ** 20;
const DIGITS = 9;

/** A picture, and its file if the shards have it. */
export interface Sample {
  readonly picture: FilePicture;
  readonly image?: { readonly extension: string; readonly bytes: Uint8Array };
}

const documentOf = ({ path, width, height, annotations }: FilePicture) => ({
  file_name: path,
  width,
  height,
  annotations: annotations.map(presentAnnotation),
});

/** A key has no dots, because the names of the fields of a sample begin at its first dot. */
function* sampleBytes({ picture, image }: Sample, at: number): Generator<Uint8Array> {
  const key = String(at).padStart(DIGITS, '0');
  if (image !== undefined) yield* tarMember(`${key}.${image.extension}`, image.bytes);
  yield* tarMember(`${key}.json`, Buffer.from(JSON.stringify(documentOf(picture))));
}

/** Shards of some thousand samples, one after the other. */
export async function* shardsOf(samples: AsyncIterable<Sample>): AsyncGenerator<ArchiveMember> {
  const iterator = samples[Symbol.asyncIterator]();
  let at = 0;
  let next = await iterator.next();
  async function* shard(): AsyncGenerator<Uint8Array> {
    const [end, start] = [at + SAMPLES_PER_SHARD, at];
    for (let size = 0; next.done !== true && at < end && (size < MOST_BYTES || at === start);) {
      for (const bytes of sampleBytes(next.value, at)) {
        size += bytes.length;
        yield bytes;
      }
      at += 1;
      next = await iterator.next();
    }
    yield tarEnd();
  }
  for (let number = 0; number === 0 || next.done !== true; number++)
    yield { name: `shard-${String(number).padStart(6, '0')}.tar`, stream: shard(), level: FAST };
}

/** Shards without the pictures themselves. */
export const webdatasetFormat: AnnotationFormat = {
  holds: EVERYTHING,
  walks: 1,
  write: (pictures) =>
    shardsOf(
      (async function* () {
        for await (const batch of pictures()) for (const picture of batch) yield { picture };
      })(),
    ),
};
