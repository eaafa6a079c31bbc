import type { ArchiveFormat } from './archive-format';
import { coco } from './coco-format';
import { csv } from './csv-format';
import { json } from './json-format';
import { parquet } from './parquet-format';
import { yolo } from './yolo-format';

export const FORMATS = { json, parquet, csv, coco, yolo } satisfies Record<string, ArchiveFormat>;

export type ExportFormat = keyof typeof FORMATS;
export const EXPORT_FORMATS = Object.keys(FORMATS) as [ExportFormat, ...ExportFormat[]];
