import { Categories, type MediaItem } from '../domain/media-item';
import { ImageNames, labelFileName } from '../domain/image-names';
import type { ArchiveFormat, MediaBatches } from './archive-format';
import type { WholeMember } from '../../../common/platform/archives/zip-bytes';

const share = (value: number): string => value.toFixed(12);

/** Characters that some readers treat as line breaks. */
// eslint-disable-next-line no-control-regex
const LINE_BREAKS = /[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]+/g;

/** Characters that YAML requires to be escaped. */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const yamlText = (text: string): string =>
  JSON.stringify(text).replace(UNPRINTABLE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Class, then centre, width and height of the box as fractions of the image. */
function linesOf({ objects }: MediaItem, categories: Categories): string {
  return objects
    .map(({ row: { box, labels } }) => {
      if (box === null) return '';
      const middle = [box.x + box.width / 2, box.y + box.height / 2];
      return `${categories.numberOf(labels[0])} ${[...middle, box.width, box.height].map(share).join(' ')}\n`;
    })
    .join('');
}

/** A label file for each image, empty without objects; then the classes: one per line, and escaped exactly in the YAML. */
export const yolo: ArchiveFormat = { walks: 1, members: (_, items) => members(items) };

async function* members(items: MediaBatches): AsyncGenerator<WholeMember> {
  const categories = new Categories();
  const names = new ImageNames();
  for await (const batch of items()) {
    for (const item of batch) {
      const imageName = names.of(item.row.id, item.row.fileName);
      yield { name: `labels/${labelFileName(imageName)}`, bytes: Buffer.from(linesOf(item, categories)) };
    }
  }
  const classes = categories.names;
  yield {
    name: 'classes.txt',
    bytes: Buffer.from(classes.map((name) => `${name.replace(LINE_BREAKS, ' ')}\n`).join('')),
  };
  const named = classes.map((name, at) => `  ${at}: ${yamlText(name)}\n`).join('');
  yield {
    name: 'data.yaml',
    bytes: Buffer.from(
      `path: .\ntrain: images\nval: images\nnc: ${classes.length}\nnames:${named === '' ? ' {}\n' : `\n${named}`}`,
    ),
  };
}
