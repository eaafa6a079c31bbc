import { normalForm } from '../../../../common/platform/text/normal-form';

export interface Tag {
  readonly id: string;
  readonly datasetId: string;
  readonly name: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export interface CountedTag extends Pick<Tag, 'id' | 'name'> {
  /** Of the table version that is served. */
  readonly items: number;
}

/** Names that differ in capitals or in how their letters are encoded only are the same name. */
export const nameKey = (name: string): string => normalForm(name, 'NFKC').toLowerCase();
