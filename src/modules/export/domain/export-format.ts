export const EXPORT_FORMATS = ['json', 'parquet', 'csv', 'coco', 'yolo'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
