import type { AnnotationFormat } from '../../../common/engine/annotation-formats/annotation-format';
import { cocoFormat } from '../../../common/engine/annotation-formats/coco/write-coco';
import { cvatFormat } from '../../../common/engine/annotation-formats/cvat/write-cvat';
import { datumaroFormat } from '../../../common/engine/annotation-formats/datumaro/write-datumaro';
import { imagefolderFormat } from '../../../common/engine/annotation-formats/imagefolder/write-imagefolder';
import { labelStudioFormat } from '../../../common/engine/annotation-formats/label-studio/write-label-studio';
import { labelmeFormat } from '../../../common/engine/annotation-formats/labelme/write-labelme';
import { motFormat } from '../../../common/engine/annotation-formats/mot/write-mot';
import { vocFormat } from '../../../common/engine/annotation-formats/voc/write-voc';
import { webdatasetFormat } from '../../../common/engine/annotation-formats/webdataset/write-webdataset';
import { yoloFormat } from '../../../common/engine/annotation-formats/yolo/write-yolo';
import type { ShapeCounts } from '../../versions';
import { ANNOTATION_ROWS } from './annotation-rows';
import type { ArchiveFormat } from './archive-format';
import { classFoldersFormat } from './class-folders-format';
import { coco } from './coco-format';
import { csv } from './csv-format';
import { json } from './json-format';
import { parquet } from './parquet-format';
import { yolo } from './yolo-format';

/** Of what the table says. */
export const TABLE_FORMATS = { json, parquet, csv, coco, yolo } satisfies Record<string, ArchiveFormat>;
export type TableFormat = keyof typeof TABLE_FORMATS;

type FormatFor = (counts: ShapeCounts) => AnnotationFormat;

const always =
  (format: AnnotationFormat): FormatFor =>
  () =>
    format;

/** Of what a source says, which has so many annotations of each shape. */
const SOURCE_FORMATS = {
  json: always(ANNOTATION_ROWS.json),
  parquet: always(ANNOTATION_ROWS.parquet),
  csv: always(ANNOTATION_ROWS.csv),
  coco: always(cocoFormat),
  yolo: yoloFormat,
  voc: always(vocFormat),
  labelme: always(labelmeFormat),
  cvat: always(cvatFormat),
  datumaro: always(datumaroFormat),
  label_studio: always(labelStudioFormat),
  mot: always(motFormat),
  imagefolder: always(imagefolderFormat),
  webdataset: always(webdatasetFormat),
  class_folders: always(classFoldersFormat),
} satisfies Record<TableFormat, FormatFor> & Record<string, FormatFor>;

export type ExportFormat = keyof typeof SOURCE_FORMATS;
export const EXPORT_FORMATS = Object.keys(SOURCE_FORMATS) as [ExportFormat, ...ExportFormat[]];

export const isTableFormat = (format: ExportFormat): format is TableFormat => format in TABLE_FORMATS;

export const annotationFormat = (format: ExportFormat, counts: ShapeCounts): AnnotationFormat =>
  SOURCE_FORMATS[format](counts);
