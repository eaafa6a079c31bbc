import { LabelNumbers } from '../../../common/engine/annotation-formats/member-names';
import { classFiles } from '../../../common/engine/annotation-formats/yolo/class-files';
import type { WholeMember } from '../../../common/platform/archives/zip-bytes';
import { ImageNames, labelFileName } from '../domain/image-names';
import { classOf, objectsOfTable, type MediaItem } from '../domain/media-item';
import type { ArchiveFormat, MediaBatches } from './archive-format';

const share = (value: number): string => value.toFixed(12);

/** Class, then centre, width and height of the box as fractions of the image. */
function linesOf(item: MediaItem, categories: LabelNumbers): string {
  return objectsOfTable(item)
    .map(({ row }) => {
      const { box } = row;
      if (box === null) return '';
      const middle = [box.x + box.width / 2, box.y + box.height / 2];
      return `${categories.numberOf(classOf(row))} ${[...middle, box.width, box.height].map(share).join(' ')}\n`;
    })
    .join('');
}

/** A label file for each image, empty without objects; then the classes. */
export const yolo: ArchiveFormat = { walks: 1, members: (_, items) => members(items) };

async function* members(items: MediaBatches): AsyncGenerator<WholeMember> {
  const categories = new LabelNumbers();
  const names = new ImageNames();
  for await (const batch of items()) {
    for (const item of batch) {
      const imageName = names.of(item.row.id, item.row.fileName);
      yield { name: `labels/${labelFileName(imageName)}`, bytes: Buffer.from(linesOf(item, categories)) };
    }
  }
  yield* classFiles(categories.names);
}
