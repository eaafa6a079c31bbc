const MOST_OF_GROUP = 100;
const MOST_OF_PAGE = 1000;

/** How many members of each group a page has room for; large groups are cut to the same number. */
export function membersShown(sizes: readonly number[]): number {
  let most = MOST_OF_GROUP;
  const shown = (): number => sizes.reduce((sum, size) => sum + Math.min(size, most), 0);
  while (shown() > MOST_OF_PAGE) most -= 1;
  return most;
}
