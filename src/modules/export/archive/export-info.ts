import type { AppliedModels, MetadataField } from '../../datasets';

/** Information about the export in metadata files. */
export interface ExportInfo {
  readonly datasetId: string;
  readonly datasetName: string;
  readonly datasetCreatedAt: Date;
  readonly exportedAt: Date;
  readonly exportedBy: string;
  readonly baseUrl: string;
  readonly items: number;
  /** The model of the vectors in the metadata; null without vectors. */
  readonly embeddingModel: string | null;
  /** The models whose findings are in the media. */
  readonly enrichments: AppliedModels;
  /** Of people; each is a column. */
  readonly fields: readonly MetadataField[];
}
