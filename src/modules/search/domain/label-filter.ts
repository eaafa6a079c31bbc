import { arrayLiteral, identifier } from '../../../common/media-table/literal';

/** Stands for having no label at all. */
export const UNLABELED = 'unlabeled';

/** Rows that carry one of the labels; undefined when all rows do. */
export function labelFilter(labels: readonly string[]): string | undefined {
  const column = identifier('labels');
  const named = labels.filter((label) => label !== UNLABELED);
  const conditions: string[] = [];
  if (named.length > 0) conditions.push(`array_has_any(${column}, ${arrayLiteral(named)})`);
  if (named.length < labels.length) conditions.push(`cardinality(${column}) = 0`);
  return conditions.length === 0 ? undefined : conditions.join(' OR ');
}
