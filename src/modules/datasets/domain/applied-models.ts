import type { EnrichmentType } from '../../../common/engine/models/model-manifest';
import type { ModelOptions } from '../../../common/engine/models/picture-model';

export interface AppliedModel {
  readonly id: string;
  /** The options of the request. */
  readonly metadata: ModelOptions;
}

/** The models whose results a table holds, by type. */
export type AppliedModels = Readonly<Partial<Record<EnrichmentType, AppliedModel>>>;
