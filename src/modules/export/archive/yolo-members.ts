import { Categories } from '../domain/categories';
import { ImageNames, labelFileName } from '../domain/image-names';
import type { MediaItem } from '../domain/media-item';
import type { MediaBatches } from './media-batches';
import type { WholeMember } from './zip-bytes';

const share = (value: number): string => value.toFixed(6);

/** Class, then the middle, width and height of the box as shares of the image. */
function linesOf({ objects }: MediaItem, categories: Categories): string {
  return objects
    .map(({ row: { box, labels } }) => {
      if (box === null) return '';
      const middle = [box.x + box.width / 2, box.y + box.height / 2];
      return `${categories.numberOf(labels[0])} ${[...middle, box.width, box.height].map(share).join(' ')}\n`;
    })
    .join('');
}

/** A label file for each image, empty where nothing is on it; then the classes. */
export async function* yoloMembers(items: MediaBatches): AsyncGenerator<WholeMember> {
  const categories = new Categories();
  const names = new ImageNames();
  for await (const batch of items()) {
    for (const item of batch) {
      const imageName = names.of(item.row.id, item.row.fileName);
      yield { name: `labels/${labelFileName(imageName)}`, bytes: Buffer.from(linesOf(item, categories)) };
    }
  }
  const classes = categories.names;
  yield { name: 'classes.txt', bytes: Buffer.from(classes.map((name) => `${name}\n`).join('')) };
  const named = classes.map((name, at) => `  ${at}: ${JSON.stringify(name)}\n`).join('');
  yield {
    name: 'data.yaml',
    bytes: Buffer.from(
      `path: .\ntrain: images\nval: images\nnc: ${classes.length}\nnames:${named === '' ? ' {}\n' : `\n${named}`}`,
    ),
  };
}
