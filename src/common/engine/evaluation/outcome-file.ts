import { decodeColumns, encodeColumns } from '../annotations/column-file';
import type { OutcomeColumns, Outcomes } from './outcomes';

/** Each column is a part, because few have the same length and long ones take a while. */
export const encodeOutcomes = ({ columns, labels }: Outcomes): Promise<Buffer> =>
  encodeColumns(
    Object.entries(columns).map(([name, column]) => ({ [name]: column as OutcomeColumns[keyof OutcomeColumns] })),
    labels,
  );

export async function decodeOutcomes(bytes: Buffer): Promise<Outcomes> {
  const { columns, labels } = await decodeColumns(bytes);
  return { columns: columns as unknown as OutcomeColumns, labels };
}
