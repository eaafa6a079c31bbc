import { Readable } from 'node:stream';
import type { Members } from '../../src/common/engine/annotation-formats/given-files';
import { MalformedFileError } from '../../src/common/engine/annotation-formats/malformed-file';
import { readFormat, type ReadableFormat } from '../../src/common/engine/annotation-formats/read-format';

/** The ending of files of each format. */
const ENDINGS: Readonly<Record<ReadableFormat, string>> = {
  coco: 'json',
  yolo: 'txt',
  voc: 'xml',
  labelme: 'json',
  cvat: 'xml',
  datumaro: 'json',
  'label-studio': 'json',
  mot: 'txt',
  imagefolder: 'csv',
  webdataset: 'cls',
  'class-folders': 'jpg',
  table: 'csv',
};

/** The text as the name of a file of annotations, and as what it says. */
async function readAnnotationFile(text: string, format: ReadableFormat | null, ending: string): Promise<void> {
  const names = [`a/${text}.${ending}`, format === 'mot' ? 'a/gt.txt' : `a/metadata.${ending}`];
  const members: Members = async function* () {
    for (const name of names) {
      await Promise.resolve();
      yield { name, bytes: Readable.from([Buffer.from(text)]) };
    }
  };
  try {
    const found = readFormat(members, format);
    while ((await found.next()).done !== true) continue;
  } catch (error) {
    if (!(error instanceof MalformedFileError)) throw error;
  }
}

const SHARED = ['given-files', 'member-texts', 'read-format', 'xml-elements'];

/** The readers of annotation files, with the files of code that each runs. */
export const ANNOTATION_READERS: Readonly<
  Record<string, { readonly files: readonly string[]; readonly read: (text: string) => Promise<void> }>
> = {
  ...Object.fromEntries(
    (Object.keys(ENDINGS) as ReadableFormat[]).map((format) => [
      `a file of annotations: ${format}`,
      {
        files: [`src/common/engine/annotation-formats/${format}/read-${format}.ts`],
        read: (text: string) => readAnnotationFile(text, format, ENDINGS[format]),
      },
    ]),
  ),
  'files of annotations': {
    files: SHARED.map((name) => `src/common/engine/annotation-formats/${name}.ts`),
    read: async (text) => {
      for (const ending of new Set(Object.values(ENDINGS))) await readAnnotationFile(text, null, ending);
    },
  },
};
