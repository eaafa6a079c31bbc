import { shownCaption } from '../../../common/engine/media-table/media-row';
import type { MediaItem } from '../domain/media-item';
import type { ExportInfo, ArchiveFormat, MediaBatches } from './archive-format';
import { fieldValues, typedColumn, type FieldValues } from './field-columns';
import { MetadataTexts } from './metadata-texts';
import { presentInfo, presentScalars } from './metadata.presenter';
import {
  floatColumn,
  int32Column,
  optionalTextColumn,
  textColumn,
  textListColumn,
  vectorColumn,
  type ColumnPage,
  type ParquetColumn,
  packGroup,
  ParquetFile,
  type PackedGroup,
} from '../parquet';

interface Presented {
  readonly item: MediaItem;
  readonly fields: FieldValues;
  readonly scalars: ReturnType<typeof presentScalars>;
}

/** Collects the values of a column until they are written. */
interface ColumnBuffer extends Omit<ParquetColumn<never>, 'encode'> {
  gather(presented: readonly Presented[]): void;
  take(): ColumnPage;
}

const ROWS_PER_GROUP = 8_192;
const ALREADY_COMPRESSED = 0;

function columnBuffer<V>(column: ParquetColumn<V>, valueOf: (presented: Presented) => V): ColumnBuffer {
  let values: V[] = [];
  return {
    ...column,
    gather(presented) {
      for (const each of presented) values.push(valueOf(each));
    },
    take() {
      const page = column.encode(values);
      values = [];
      return page;
    },
  };
}

const columnsOf = (info: ExportInfo, texts: MetadataTexts): ColumnBuffer[] => [
  columnBuffer(textColumn('media_id'), ({ scalars }) => scalars.media_id),
  columnBuffer(textColumn('media_type'), ({ scalars }) => scalars.media_type),
  columnBuffer(textColumn('file_name'), ({ scalars }) => scalars.file_name),
  columnBuffer(textColumn('file_path'), ({ scalars }) => scalars.file_path),
  columnBuffer(textColumn('file_size'), ({ scalars }) => scalars.file_size),
  columnBuffer(floatColumn('uniqueness_score'), ({ item }) => item.row.uniqueness),
  columnBuffer(int32Column('height'), ({ scalars }) => scalars.height),
  columnBuffer(int32Column('width'), ({ scalars }) => scalars.width),
  columnBuffer(textColumn('url'), ({ scalars }) => scalars.url),
  columnBuffer(optionalTextColumn('cluster_id'), ({ scalars }) => scalars.cluster_id),
  columnBuffer(optionalTextColumn('image_filename'), ({ item }) => item.imageName),
  columnBuffer(optionalTextColumn('caption'), ({ item }) => shownCaption(item.row)),
  columnBuffer(textListColumn('text_lines'), ({ item }) => (item.row.textLines ?? []).map(({ text }) => text)),
  columnBuffer(textListColumn('labels'), ({ item }) => item.row.labels),
  columnBuffer(textColumn('metadata_items'), ({ item }) => texts.of(item)),
  ...info.fields.map((field) => {
    const { column, of } = typedColumn(field);
    return columnBuffer(column as ParquetColumn<unknown>, ({ fields }) => of(fields));
  }),
  ...(info.embeddingModel === null ? [] : [columnBuffer(vectorColumn('embedding'), ({ item }) => item.embedding)]),
];

/** The export's information is in the file metadata, under `info`, and the model of the vectors under `embedding_model`. */
export const parquet: ArchiveFormat = {
  walks: 1,
  members: (info, items) => [{ name: 'metadata.parquet', stream: file(info, items), level: ALREADY_COMPRESSED }],
};

async function* file(info: ExportInfo, items: MediaBatches): AsyncGenerator<Buffer> {
  const columns = columnsOf(info, new MetadataTexts(info));
  const parquetFile = new ParquetFile(columns, {
    info: JSON.stringify(presentInfo(info)),
    ...(info.embeddingModel === null ? {} : { embedding_model: info.embeddingModel }),
  });
  for await (const group of inTurn(packedGroups(columns, info, items))) yield parquetFile.add(group);
  yield parquetFile.end();
}

async function* packedGroups(
  columns: readonly ColumnBuffer[],
  info: ExportInfo,
  items: MediaBatches,
): AsyncGenerator<Packing> {
  let rows = 0;
  const pack = (): Packing => {
    const packing = packGroup(
      rows,
      columns.map((column) => column.take()),
    );
    // Awaited later; avoids an unhandled rejection until then.
    packing.catch(() => undefined);
    rows = 0;
    return { packing };
  };
  for await (const batch of items()) {
    const presented = batch.map((item) => ({
      item,
      scalars: presentScalars(item, info),
      fields: fieldValues(item.row.customMetadata),
    }));
    for (const column of columns) column.gather(presented);
    rows += batch.length;
    if (rows >= ROWS_PER_GROUP) yield pack();
  }
  if (rows > 0) yield pack();
}

/** Wrapped in an object, because async generators await yielded promises. */
interface Packing {
  readonly packing: Promise<PackedGroup>;
}

/** Compresses one group while the next is being collected. */
async function* inTurn(groups: AsyncIterable<Packing>): AsyncGenerator<PackedGroup> {
  let before: Packing | undefined;
  for await (const group of groups) {
    if (before !== undefined) yield await before.packing;
    before = group;
  }
  if (before !== undefined) yield await before.packing;
}
