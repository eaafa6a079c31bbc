/** The only module that puts values into a filter of the media table (DataFusion SQL). */

/** A quoted column name, so that case and reserved words do not matter. */
export function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) throw new RangeError(`Not a column name: ${JSON.stringify(name)}`);
  return `\`${name}\``;
}

export const textLiteral = (value: string): string => `'${value.replaceAll("'", "''")}'`;

export function numberLiteral(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`Not a finite number: ${value}`);
  return Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER
    ? String(value)
    : `CAST('${value}' AS DOUBLE)`;
}

export const booleanLiteral = (value: boolean): string => (value ? 'TRUE' : 'FALSE');

export type LiteralValue = string | number | boolean;

export function literal(value: LiteralValue): string {
  if (typeof value === 'string') return textLiteral(value);
  return typeof value === 'number' ? numberLiteral(value) : booleanLiteral(value);
}

/** A list in parentheses for IN; never empty, because `IN ()` is not valid SQL. */
export function inList(values: readonly LiteralValue[]): string {
  if (values.length === 0) throw new RangeError('An empty list has no literal');
  return `(${values.map(literal).join(', ')})`;
}
