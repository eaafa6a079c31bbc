import { MEASURED_ISSUES, type Measure } from '../../../versions';

/** By the names that filters have for them. */
const SORTED = {
  ...(Object.fromEntries(MEASURED_ISSUES.map((issue) => [issue, issue])) as Record<
    (typeof MEASURED_ISSUES)[number],
    Measure
  >),
  uniqueness: 'uniqueness',
  width: 'width',
  height: 'height',
  file_size: 'size',
} as const satisfies Record<string, Measure>;

type Sorted = keyof typeof SORTED;
export type Sort = Sorted | `-${Sorted}`;

/** From the lowest value, or with a minus from the highest. */
export const SORTS = (Object.keys(SORTED) as Sorted[]).flatMap((name): Sort[] => [name, `-${name}`]);

export interface SortOrder {
  readonly measure: Measure;
  readonly isDescending: boolean;
}

export function sortOrderOf(sort: Sort): SortOrder {
  const isDescending = sort.startsWith('-');
  return { measure: SORTED[(isDescending ? sort.slice(1) : sort) as Sorted], isDescending };
}
