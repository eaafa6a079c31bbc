import { identifier, inList, textLiteral } from '../../common/engine/media-table/literal';
import type { MediaField } from '../../common/engine/media-table/media-schema';
import type { MediaTable } from '../../common/engine/media-table/media-table';
import { OrdinalSet } from '../../common/engine/media-table/ordinal-set';

/** Limit for one filter expression, and for blocking the event loop. */
const IDS_PER_FILTER = 2_000;

export interface FoundOrdinals {
  readonly rows: OrdinalSet;
  /** The first id that no row has. */
  readonly unknown: string | undefined;
}

const hasId = (id: string): string => `${identifier('id')} = ${textLiteral(id)}`;

export async function findOrdinal(table: MediaTable, id: string): Promise<number | undefined> {
  return (await table.filterOrdinals(hasId(id)))[0];
}

/** The row with an id, with its ordinal. */
export const findWithId = <K extends MediaField>(table: MediaTable, id: string, fields: readonly K[]) =>
  table.findRow(hasId(id), fields);

export async function findOrdinals(table: MediaTable, ids: readonly string[]): Promise<FoundOrdinals> {
  const rows = OrdinalSet.none(table.rows);
  let unknown: string | undefined;
  for (let start = 0; start < ids.length; start += IDS_PER_FILTER) {
    const part = [...new Set(ids.slice(start, start + IDS_PER_FILTER))];
    const filter = `${identifier('id')} IN ${inList(part)}`;
    const ordinals = await table.filterOrdinals(filter);
    for (const ordinal of ordinals) rows.add(ordinal);
    if (ordinals.length < part.length) unknown ??= await firstUnknown(table, part, filter);
  }
  return { rows, unknown };
}

/** Without unknown ids. */
export async function ordinalsById(table: MediaTable, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const ordinals = (await findOrdinals(table, ids)).rows.toArray();
  const found = await table.takeRows(ordinals, ['id']);
  return new Map(found.map(({ id }, at) => [id, ordinals[at]!]));
}

async function firstUnknown(table: MediaTable, ids: readonly string[], filter: string): Promise<string> {
  const known = new Set<string>();
  for await (const found of table.readRows(['id'], { filter })) for (const { id } of found) known.add(id);
  return ids.find((id) => !known.has(id))!;
}
