import { constants, zstdCompressSync } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { MediaItem } from '../domain/media-item';
import type { ExportInfo } from './export-info';
import type { MediaBatches } from './media-batches';
import { metadataItems, presentInfo, presentScalars } from './metadata.presenter';

interface Presented {
  readonly item: MediaItem;
  readonly scalars: ReturnType<typeof presentScalars>;
}

type Column = readonly [name: string, valueOf: (presented: Presented) => unknown, schema: readonly SchemaElement[]];

const text = (name: string, isOptional = false): SchemaElement[] => [
  {
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    logical_type: { type: 'STRING' },
    repetition_type: isOptional ? 'OPTIONAL' : 'REQUIRED',
  },
];

const number = (name: string, type: 'INT32' | 'FLOAT'): SchemaElement[] => [
  { name, type, repetition_type: 'REQUIRED' },
];

const texts = (name: string): SchemaElement[] => [
  { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1, repetition_type: 'REQUIRED' },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  ...text('element'),
];

const columnsOf = (info: ExportInfo): Column[] => [
  ['media_id', ({ scalars }) => scalars.media_id, text('media_id')],
  ['media_type', ({ scalars }) => scalars.media_type, text('media_type')],
  ['file_name', ({ scalars }) => scalars.file_name, text('file_name')],
  ['file_path', ({ scalars }) => scalars.file_path, text('file_path')],
  ['file_size', ({ scalars }) => scalars.file_size, text('file_size')],
  ['uniqueness_score', ({ item }) => item.row.uniqueness, number('uniqueness_score', 'FLOAT')],
  ['height', ({ scalars }) => scalars.height, number('height', 'INT32')],
  ['width', ({ scalars }) => scalars.width, number('width', 'INT32')],
  ['url', ({ scalars }) => scalars.url, text('url')],
  ['cluster_id', ({ scalars }) => scalars.cluster_id, text('cluster_id', true)],
  ['image_filename', ({ item }) => item.imageName, text('image_filename', true)],
  ['caption', ({ item }) => item.row.caption, text('caption', true)],
  ['labels', ({ item }) => item.row.labels, texts('labels')],
  ['metadata_items', ({ item }) => JSON.stringify(metadataItems(item, info)), text('metadata_items')],
];

/** By the C library: pages are packed an order faster than in JavaScript, and smaller than by Snappy. */
const packed = (bytes: Uint8Array): Uint8Array =>
  zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });

/** A row group a batch; what the export is stands in the file's own metadata, under `info`. */
export async function* parquetMetadata(info: ExportInfo, items: MediaBatches): AsyncGenerator<Buffer> {
  const columns = columnsOf(info);
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(([, , schema]) => schema)],
    codec: 'ZSTD',
    compressors: { ZSTD: packed },
    statistics: false,
    createdBy: 'dataset-media-service',
    kvMetadata: [{ key: 'info', value: JSON.stringify(presentInfo(info)) }],
  });
  for await (const batch of items()) {
    const presented = batch.map((item) => ({ item, scalars: presentScalars(item, info) }));
    await file.write({
      columnData: columns.map(([name, valueOf]) => ({
        name,
        data: presented.map(valueOf),
        // Nearly all values are different, so looking for those that are not takes time for nothing.
        encoding: 'PLAIN' as const,
        offsetIndex: false,
      })),
      rowGroupSize: batch.length,
    });
    yield taken(bytes);
  }
  await file.finish();
  yield taken(bytes);
}

function taken(writer: ByteWriter): Buffer {
  const bytes = Buffer.from(writer.getBuffer());
  writer.index = 0;
  return bytes;
}
