import type { MediaRow, MetadataType, MetadataValue } from '../../../common/engine/media-table/media-row';

/** A value of a field; null removes it. */
export type GivenMetadata =
  | MetadataValue
  | {
      readonly name: string;
      readonly value: null;
    };

const byName = (a: MetadataValue, b: MetadataValue): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** With `replace`, the given fields are all that remain. */
export function withMetadata<Row extends Pick<MediaRow, 'customMetadata'>>(
  row: Row,
  metadata: readonly GivenMetadata[] | undefined,
  mode: 'add' | 'replace',
): Row {
  if (metadata === undefined) return row;
  const kept = mode === 'add' ? (row.customMetadata ?? []) : [];
  const values = new Map(kept.map((value) => [value.name, value]));
  for (const given of metadata) {
    if (given.value === null) values.delete(given.name);
    else values.set(given.name, given);
  }
  return { ...row, customMetadata: values.size === 0 ? null : [...values.values()].sort(byName) };
}

/** The type of each field, which all of its values have. */
export class MetadataTypes {
  private readonly types = new Map<string, MetadataType>();

  /** Returns the reason if the value does not fit. */
  add({ name, type }: Pick<MetadataValue, 'name' | 'type'>): string | undefined {
    const known = this.types.get(name) ?? type;
    this.types.set(name, known);
    return known === type
      ? undefined
      : `The field ${JSON.stringify(name)} has values of the type ${known}, not ${type}.`;
  }
}
