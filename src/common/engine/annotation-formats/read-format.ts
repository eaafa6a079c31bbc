import { readCoco } from './coco/read-coco';
import type { FromFile } from './from-file';
import type { Members } from './given-files';
import { MalformedFileError } from './malformed-file';

const READERS = { coco: readCoco } as const satisfies Record<string, (members: Members) => AsyncIterable<FromFile>>;

export type ReadableFormat = keyof typeof READERS;
export const READABLE_FORMATS = Object.keys(READERS) as readonly ReadableFormat[];

/** What files say about pictures. Throws MalformedFileError if they are not of the format, or of none. */
export async function* readFormat(members: Members, format: ReadableFormat | null): AsyncGenerator<FromFile> {
  yield* READERS[format ?? (await formatOf(members))](members);
}

async function formatOf(members: Members): Promise<ReadableFormat> {
  for await (const { name } of members()) if (/\.json$/i.test(name)) return 'coco';
  throw new MalformedFileError(
    `they are in none of the formats that can be read: ${READABLE_FORMATS.join(', ')}. Name it in the field 'format' if they are`,
  );
}
