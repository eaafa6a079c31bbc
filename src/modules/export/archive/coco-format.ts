import { shownCaption, type TextLine } from '../../../common/engine/media-table/media-row';
import { LabelNumbers } from '../../../common/engine/annotation-formats/member-names';
import {
  type MediaItem,
  type ObjectRow,
  classOf,
  objectsOfTable,
  exactPixelBox,
  exactPixels,
} from '../domain/media-item';
import { FAST } from '../../../common/engine/annotation-formats/annotation-format';
import type { ArchiveFormat, ExportInfo, MediaBatches } from './archive-format';
import { presentInfo } from './metadata.presenter';

const presentImage = ({ row, imageName, tags }: MediaItem, id: number, info: ExportInfo) => ({
  id,
  file_name: imageName ?? row.path,
  width: row.width,
  height: row.height,
  media_id: row.id,
  labels: row.labels,
  caption: shownCaption(row),
  ...(row.textLines === null ? {} : { text_lines: presentText(row, row.textLines, info) }),
  tags: tags.map(({ name }) => name),
});

/** Polygons are in pixels, as those of COCO. */
const presentText = ({ width, height }: MediaItem['row'], lines: readonly TextLine[], { enrichments }: ExportInfo) =>
  lines.map(({ text, confidence, corners }) => ({
    text,
    polygon: corners.flatMap(({ x, y }) => [exactPixels(x * width), exactPixels(y * height)]),
    score: confidence,
    source: enrichments.TEXT_RECOGNITION?.id ?? null,
  }));

/** Annotations are boxes only; labels, caption and text of a whole image are in the image. Images are numbered from 1 in order. */
export const coco: ArchiveFormat = {
  walks: 2,
  members: (info, items) => [{ name: 'annotations.json', stream: text(info, items), level: FAST }],
};

async function* text(info: ExportInfo, items: MediaBatches): AsyncGenerator<Buffer> {
  const { description, export_time: created, dataset_url: url, exported_by: contributor } = presentInfo(info);
  yield Buffer.from(
    `{"info":${JSON.stringify({ description, url, contributor, date_created: created, version: '1.1' })},"images":`,
  );
  let image = 0;
  yield* jsonList(items(), (item) => [presentImage(item, ++image, info)]);
  yield Buffer.from(',"annotations":');
  const categories = new LabelNumbers();
  let annotation = 0;
  image = 0;
  yield* jsonList(items(), (item) => {
    const { row } = item;
    image += 1;
    return objectsOfTable(item).flatMap(({ row: object }) => {
      if (object.box === null) return [];
      const bbox = exactPixelBox(object.box, row.width, row.height);
      return {
        id: ++annotation,
        image_id: image,
        category_id: categories.numberOf(classOf(object)) + 1,
        bbox,
        area: Number((bbox[2] * bbox[3]).toPrecision(12)),
        iscrowd: 0,
        media_id: object.id,
        ...foundBy(object, info),
      };
    });
  });
  const named = categories.names.map((name, at) => ({ id: at + 1, name }));
  yield Buffer.from(`,"categories":${JSON.stringify(named)}}`);
}

/** `score` is COCO's name for the confidence of a detector. */
function foundBy({ generatedLabels }: ObjectRow, { enrichments }: ExportInfo) {
  const [found] = generatedLabels ?? [];
  return found === undefined ? {} : { score: found.confidence, source: enrichments.OBJECT_DETECTION?.id ?? null };
}

async function* jsonList(
  batches: AsyncIterable<readonly MediaItem[]>,
  present: (item: MediaItem) => readonly object[],
): AsyncGenerator<Buffer> {
  let before = '[';
  for await (const batch of batches) {
    const text = batch.flatMap((item) => present(item).map((each) => JSON.stringify(each))).join(',');
    if (text === '') continue;
    yield Buffer.from(before + text);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}
