import type { MediaRow, MetadataType, MetadataValue } from '../../../common/engine/media-table/media-row';
import { MAX_METADATA_FIELDS, type MetadataField } from '../../datasets';
import { readValue, valueOfText } from './field-value';

/** A received value of a field; null removes it. */
export interface GivenMetadata {
  readonly name: string;
  /** By the field, or else by the value, if absent. */
  readonly type?: MetadataType | undefined;
  readonly value: MetadataValue['value'] | null;
  /** Whether it is a text of a file, which may represent a value of any type. */
  readonly isText?: boolean | undefined;
}

const byName = (a: MetadataValue, b: MetadataValue): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** A value that its field takes; null removes it. */
export type TypedMetadata = MetadataValue | { readonly name: string; readonly value: null };

/** With `replace`, the given fields are all that remain. */
export function withMetadata<Row extends Pick<MediaRow, 'customMetadata'>>(
  row: Row,
  metadata: readonly TypedMetadata[] | undefined,
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

const typeOf = (value: MetadataValue['value']): MetadataType => {
  if (typeof value === 'object') return 'enum';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'float' : 'boolean';
};

const fieldOf = (name: string, type: MetadataType, isMulti = false): MetadataField => ({
  name,
  type,
  enumOptions: null,
  isMulti,
});

/** The fields of a dataset, with those that received values add. */
export class KnownFields {
  private readonly fields = new Map<string, MetadataField>();
  private readonly addedNames = new Set<string>();

  constructor(declared: readonly MetadataField[]) {
    for (const field of declared) this.fields.set(field.name, field);
  }

  get added(): readonly MetadataField[] {
    return Array.from(this.addedNames, (name) => this.fields.get(name)!);
  }

  /** The value that its field takes, or the reason why it takes none. */
  typed({ name, type, value, isText = false }: GivenMetadata): TypedMetadata | { readonly reason: string } {
    if (value === null) return { name, value };
    const known = this.fields.get(name);
    if (known !== undefined && type !== undefined && known.type !== type)
      return { reason: `The field ${JSON.stringify(name)} has values of the type ${known.type}, not ${type}.` };
    const field = known ?? fieldOf(name, type ?? typeOf(value), typeof value === 'object');
    const read = readValue(field, isText && typeof value === 'string' ? valueOfText(field, value) : value);
    if ('reason' in read)
      return {
        reason: `The field ${JSON.stringify(name)} has the type ${field.type}; ${shown(value)} ${read.reason}.`,
      };
    if (known === undefined) {
      if (this.fields.size >= MAX_METADATA_FIELDS)
        return { reason: `The dataset would have more than ${MAX_METADATA_FIELDS} fields, which is the limit.` };
      this.add(field);
    }
    return { name, type: field.type, value: read.value };
  }

  private add(field: MetadataField): void {
    this.fields.set(field.name, field);
    this.addedNames.add(field.name);
  }
}

const MAX_SHOWN = 40;
/** A value in a sentence. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_SHOWN)) : JSON.stringify(value);
  return text.length > 2 * MAX_SHOWN ? `${text.slice(0, 2 * MAX_SHOWN)}…` : text;
}
