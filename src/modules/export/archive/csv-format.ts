import { shownCaption } from '../../../common/engine/media-table/media-row';
import { csvLine } from '../../../common/platform/text/lines';
import type { MediaItem } from '../domain/media-item';
import { FAST } from '../../../common/engine/annotation-formats/annotation-format';
import type { ExportInfo, ArchiveFormat, MediaBatches } from './archive-format';
import { fieldCell, fieldColumnName, fieldValues } from './field-columns';
import { presentScalars } from './metadata.presenter';

const MORE = ['image_filename', 'caption', 'text_lines', 'labels', 'object_labels', 'tags', 'export_error'];
const COLUMNS = [
  'media_id',
  'media_type',
  'file_name',
  'file_path',
  'file_size',
  'uniqueness_score',
  'height',
  'width',
  'url',
  'cluster_id',
] as const;

const listed = (values: readonly string[]): string => JSON.stringify(values);

const lineOf = (item: MediaItem, info: ExportInfo): string => {
  const scalars = presentScalars(item, info);
  const fields = fieldValues(item.row.customMetadata);
  return csvLine([
    ...COLUMNS.map((column) => scalars[column]),
    item.imageName,
    shownCaption(item.row),
    listed((item.row.textLines ?? []).map(({ text }) => text)),
    listed(item.row.labels),
    listed(item.objects.flatMap(({ row }) => row.labels)),
    listed(item.tags.map(({ name }) => name)),
    item.imageError,
    ...info.fields.map((field) => fieldCell(fields, field)),
  ]);
};

/** One line for each item; lines of text, labels, tags and several options of a field are JSON lists. */
export const csv: ArchiveFormat = {
  walks: 1,
  members: (info, items) => [{ name: 'metadata.csv', stream: lines(info, items), level: FAST }],
};

async function* lines(info: ExportInfo, items: MediaBatches): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine([...COLUMNS, ...MORE, ...info.fields.map(fieldColumnName)]));
  for await (const batch of items()) yield Buffer.from(batch.map((item) => lineOf(item, info)).join(''));
}
