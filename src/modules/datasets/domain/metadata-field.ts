import type { MetadataType } from '../../../common/engine/media-table/media-row';

/** A field that people defined. It keeps its type in all versions of the dataset. */
export interface MetadataField {
  readonly name: string;
  readonly type: MetadataType;
  /** Of an enum whose values are declared; null for any value. */
  readonly enumOptions: readonly string[] | null;
  /** Whether a value is a list of options. */
  readonly isMulti: boolean;
}

/** Of a dataset. */
export const MAX_METADATA_FIELDS = 500;
