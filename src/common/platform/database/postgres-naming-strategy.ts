import { DefaultNamingStrategy, type Table } from 'typeorm';

const snake = (name: string): string =>
  name
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toLowerCase();

const bare = (table: Table | string): string => (typeof table === 'string' ? table : table.name).split('.').at(-1)!;

/** snake_case, and the names that Postgres itself would choose for keys and indexes, so that migrations need not spell them out. */
export class PostgresNamingStrategy extends DefaultNamingStrategy {
  override tableName(className: string, given: string | undefined): string {
    return given ?? snake(className.replace(/Entity$/, ''));
  }

  override columnName(propertyName: string, given: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes.map(snake), given ?? snake(propertyName)].join('_');
  }

  override relationName(propertyName: string): string {
    return snake(propertyName);
  }

  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return snake(`${relationName}_${referencedColumnName}`);
  }

  override joinTableColumnName(tableName: string, propertyName: string, columnName?: string): string {
    return snake(`${tableName}_${columnName ?? propertyName}`);
  }

  override primaryKeyName(table: Table | string): string {
    return `${bare(table)}_pkey`;
  }

  override uniqueConstraintName(table: Table | string, columnNames: string[]): string {
    return `${bare(table)}_${columnNames.join('_')}_key`;
  }

  override relationConstraintName(table: Table | string, columnNames: string[]): string {
    return this.uniqueConstraintName(table, columnNames);
  }

  override foreignKeyName(table: Table | string, columnNames: string[]): string {
    return `${bare(table)}_${columnNames.join('_')}_fkey`;
  }

  override indexName(table: Table | string, columnNames: string[]): string {
    return `${bare(table)}_${columnNames.join('_')}_idx`;
  }
}
