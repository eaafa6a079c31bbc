import { NO_ATTRIBUTES } from './attribute-columns';
import { decodeColumns, encodeColumns, type Columns } from './column-file';
import { Segment, type SegmentColumns } from './segment';

const partsOf = ({ ids, firsts, offsets, ...columns }: SegmentColumns): readonly Columns[] => {
  const { blocks, starts, lengths, attributeFirsts, attributeCodes, attributeBounds, attributeTexts, ...others } =
    columns;
  const parts = [{ ids }, { firsts }, { offsets }, { blocks, starts, lengths }, others];
  if (attributeFirsts.length === 0) return parts;
  return [...parts, { attributeFirsts }, { attributeCodes }, { attributeBounds }, { attributeTexts }];
};

export const encodeSegment = ({ columns, labels }: Segment): Promise<Buffer> => encodeColumns(partsOf(columns), labels);

export async function decodeSegment(bytes: Buffer): Promise<Segment> {
  const { columns, labels } = await decodeColumns(bytes);
  return new Segment({ ...NO_ATTRIBUTES, ...columns } as unknown as SegmentColumns, labels);
}
