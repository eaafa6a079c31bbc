import { cocoMetadata } from '../archive/coco-metadata';
import { csvMetadata } from '../archive/csv-metadata';
import type { ExportInfo } from '../archive/export-info';
import { jsonMetadata } from '../archive/json-metadata';
import type { MediaBatches } from '../archive/media-batches';
import { parquetMetadata } from '../archive/parquet-metadata';
import { yoloMembers } from '../archive/yolo-members';
import type { ArchiveMember } from '../../../common/platform/archives/write/zip-bytes';
import type { ExportFormat } from '../domain/export-format';

type Metadata = (info: ExportInfo, items: MediaBatches) => AsyncIterable<Uint8Array>;

const FAST = 1;
const ALREADY_COMPRESSED = 0;

/** Makes one metadata file, iterating over all items `walks` times. */
const FILES: Readonly<
  Record<Exclude<ExportFormat, 'yolo'>, { name: string; make: Metadata; level: number; walks: number }>
> = {
  json: { name: 'metadata.json', make: jsonMetadata, level: FAST, walks: 1 },
  parquet: { name: 'metadata.parquet', make: parquetMetadata, level: ALREADY_COMPRESSED, walks: 1 },
  csv: { name: 'metadata.csv', make: csvMetadata, level: FAST, walks: 1 },
  coco: { name: 'annotations.json', make: cocoMetadata, level: FAST, walks: 2 },
};

export const walksOf = (format: ExportFormat): number => (format === 'yolo' ? 1 : FILES[format].walks);

export async function* metadataMembers(
  format: ExportFormat,
  info: ExportInfo,
  items: MediaBatches,
): AsyncGenerator<ArchiveMember> {
  if (format === 'yolo') {
    yield* yoloMembers(items);
    return;
  }
  const { name, make, level } = FILES[format];
  yield { name, stream: make(info, items), level };
}
