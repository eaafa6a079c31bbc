/** Information about the export in metadata files. */
export interface ExportInfo {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly datasetCreatedAt: Date;
  readonly exportedAt: Date;
  readonly exportedBy: string;
  readonly baseUrl: string;
  readonly items: number;
  /** The model that captioned images. */
  readonly captionModel: string | null;
}
