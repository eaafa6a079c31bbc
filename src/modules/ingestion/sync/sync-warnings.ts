import type { MissingList } from './missing-files';

const filesAre = (count: number, one: string, many: string): string =>
  count === 1 ? `1 file ${one}` : `${count} files ${many}`;

export const replacedWarnings = (count: number): string[] =>
  count === 0 ? [] : [`${filesAre(count, 'has changed and was', 'have changed and were')} replaced.`];

/** About files that people removed from the dataset. */
export const leftOutWarnings = (count: number): string[] =>
  count === 0
    ? []
    : [
        `${filesAre(count, 'was removed from the dataset and is', 'were removed from the dataset and are')} left out. ` +
          'Restore a snapshot, or add the media again, to have them back.',
      ];

/** Warning about files missing from the source, with some of their names. */
export function missingWarnings(
  { count, names }: Pick<MissingList, 'count' | 'names'>,
  wereRemoved: boolean,
): string[] {
  if (count === 0) return [];
  const more = count - names.length;
  const list = `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  const said = wereRemoved
    ? `${filesAre(count, 'that is', 'that are')} gone from the source ${count === 1 ? 'was' : 'were'} removed`
    : `${filesAre(count, 'is', 'are')} gone from the source`;
  return [`${said}: ${list}.`];
}
