import type { MetadataType, MetadataValue } from '../../../common/engine/media-table/media-row';
import type { MetadataField } from '../../datasets';
import {
  optionalBooleanColumn,
  optionalDoubleColumn,
  optionalTextColumn,
  optionalTimeColumn,
  textListColumn,
  type ParquetColumn,
} from '../parquet';

/** Annotation files name their columns of fields like this, too. */
export const fieldColumnName = ({ name }: MetadataField): string => `metadata.${name}`;

type Value = MetadataValue['value'] | null;

/** The values of a medium by field. */
export type FieldValues = ReadonlyMap<string, MetadataValue>;

export const fieldValues = (values: readonly MetadataValue[] | null): FieldValues =>
  new Map(values?.map((value) => [value.name, value]));

/** Null without a value, and for one of another type. */
export function valueOf(values: FieldValues, { name, type }: MetadataField): Value {
  const found = values.get(name);
  return found?.type === type ? found.value : null;
}

interface FieldColumn<V> {
  readonly column: (name: string) => ParquetColumn<V>;
  readonly read: (value: Value) => V;
}

const textOf = (value: Value): string | null => (typeof value === 'string' ? value : null);
const TEXT: FieldColumn<string | null> = { column: optionalTextColumn, read: textOf };

const COLUMNS = {
  string: TEXT,
  link: TEXT,
  enum: TEXT,
  float: {
    column: optionalDoubleColumn,
    read: (value: Value): number | null => (typeof value === 'number' ? value : null),
  },
  boolean: {
    column: optionalBooleanColumn,
    read: (value: Value): boolean | null => (typeof value === 'boolean' ? value : null),
  },
  datetime: {
    column: optionalTimeColumn,
    read: (value: Value): number | null => (typeof value === 'string' ? Date.parse(value) : null),
  },
} as const satisfies Record<MetadataType, unknown>;

const OPTIONS: FieldColumn<readonly string[]> = {
  column: textListColumn,
  read: (value) => (typeof value === 'object' && value !== null ? value : []),
};

/** How a field is written to Parquet: its column, and its value of a medium. */
export interface TypedColumn {
  readonly column: ParquetColumn<never>;
  readonly of: (values: FieldValues) => unknown;
}

export function typedColumn(field: MetadataField): TypedColumn {
  const { column, read } = field.isMulti ? OPTIONS : COLUMNS[field.type];
  return { column: column(fieldColumnName(field)), of: (values) => read(valueOf(values, field)) };
}

/** A cell of CSV; a list as JSON. */
export function fieldCell(values: FieldValues, field: MetadataField): string | number | null {
  const value = valueOf(values, field);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
