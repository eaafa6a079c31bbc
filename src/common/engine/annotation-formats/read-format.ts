import { readClassFolders } from './class-folders/read-class-folders';
import { readCoco } from './coco/read-coco';
import { readCvat } from './cvat/read-cvat';
import { readDatumaro } from './datumaro/read-datumaro';
import type { FromFile } from './from-file';
import type { Members } from './given-files';
import { readImagefolder } from './imagefolder/read-imagefolder';
import { readLabelStudio } from './label-studio/read-label-studio';
import { readLabelme } from './labelme/read-labelme';
import { MalformedFileError } from './malformed-file';
import { fileIn } from './member-texts';
import { readMot } from './mot/read-mot';
import { readTable } from './table/read-table';
import { readVoc } from './voc/read-voc';
import { readWebdataset } from './webdataset/read-webdataset';
import { readYolo } from './yolo/read-yolo';

const READERS = {
  coco: readCoco,
  yolo: readYolo,
  voc: readVoc,
  labelme: readLabelme,
  cvat: readCvat,
  datumaro: readDatumaro,
  'label-studio': readLabelStudio,
  mot: readMot,
  imagefolder: readImagefolder,
  webdataset: readWebdataset,
  'class-folders': readClassFolders,
  table: readTable,
} as const satisfies Record<string, (members: Members) => AsyncIterable<FromFile>>;

export type ReadableFormat = keyof typeof READERS;
export const READABLE_FORMATS = Object.keys(READERS) as readonly ReadableFormat[];

const HEAD_BYTES = 4_096;

/** What files say about pictures. Throws MalformedFileError if they are not of the format, or of none. */
export async function* readFormat(members: Members, format: ReadableFormat | null): AsyncGenerator<FromFile> {
  yield* READERS[format ?? (await formatOf(members))](members);
}

/** By the first file whose name or beginning says it, otherwise by what other formats may have, too. */
export async function formatOf(members: Members): Promise<ReadableFormat> {
  const possible = new Set<ReadableFormat>();
  for await (const { name, bytes } of members()) {
    const others = formatIn(POSSIBLE_NAMES, name);
    if (others !== undefined) possible.add(others);
    const found = others === undefined ? (formatIn(NAMES, name) ?? byHead(name, await headOf(bytes))) : undefined;
    if (found !== undefined) return found;
  }
  for (const [, format] of POSSIBLE_NAMES) if (possible.has(format)) return format;
  throw new MalformedFileError(
    `they are in none of the formats that can be read: ${READABLE_FORMATS.join(', ')}. Name it in the field 'format' if they are`,
  );
}

const NAMES: readonly (readonly [RegExp, ReadableFormat])[] = [
  [/^metadata\.jsonl$/i, 'imagefolder'],
  [/^(?:gt|det)\.txt$/, 'mot'],
  [/\.ya?ml$/i, 'yolo'],
  [/^classes\.txt$|^obj\.names$/i, 'yolo'],
  [/\.(?:csv|parquet)$/i, 'table'],
  [/\.cls$/i, 'webdataset'],
];

/** An export of this service has these beside the annotations of a source; pictures are beside those of any format. */
const POSSIBLE_NAMES: readonly (readonly [RegExp, ReadableFormat])[] = [
  [/^metadata\.(?:csv|parquet|json)$/i, 'imagefolder'],
  [/\.(?:jpe?g|png|webp)$/i, 'class-folders'],
];

const formatIn = (names: typeof NAMES, name: string): ReadableFormat | undefined =>
  names.find(([pattern]) => pattern.test(fileIn(name)))?.[1];

const HEADS: readonly (readonly [RegExp, ReadableFormat])[] = [
  [/"dm_format_version"|"media_type"|"infos"\s*:/, 'datumaro'],
  [/"imagePath"|"shapes"\s*:/, 'labelme'],
  [/^\s*\[[^]*"(?:data|annotations|predictions)"\s*:/, 'label-studio'],
  [/"file_path"|^\s*\{\s*"source"\s*:/, 'table'],
  [/"(?:image_id|images|categories)"\s*:/, 'coco'],
  [/^\s*\{\s*"(?:file_name|label|annotations)"\s*:/, 'webdataset'],
];

function byHead(name: string, head: string): ReadableFormat | undefined {
  if (/\.xml$/i.test(name)) return /<annotations[\s>]/.test(head) ? 'cvat' : 'voc';
  return /\.json$/i.test(name) ? HEADS.find(([pattern]) => pattern.test(head))?.[1] : undefined;
}

async function headOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  let head = Buffer.alloc(0);
  const chunks = bytes[Symbol.asyncIterator]();
  while (head.length < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head.toString('utf8', 0, HEAD_BYTES);
}
