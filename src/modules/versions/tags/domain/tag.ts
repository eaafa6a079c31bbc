import { normalForm } from '../../../../common/platform/text/texts';

export interface Tag {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** Names are equal if they differ only in case or in Unicode normalisation. */
export const nameKey = (name: string): string => normalForm(name, 'NFKC').toLowerCase();
