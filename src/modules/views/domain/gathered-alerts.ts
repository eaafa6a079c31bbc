const NAMED = 10;
const LONGEST_NAME = 80;

const shortened = (name: string): string => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);

/** Message about the other views that have matches in the same batch; null if there are none. */
export function messageOfGathered(viewNames: readonly string[]): string | null {
  if (viewNames.length === 0) return null;
  const named = viewNames.slice(0, NAMED).map((name) => `'${shortened(name)}'`);
  const more = viewNames.length - named.length;
  const all = more === 0 ? named : [...named, `${more} more`];
  const what = viewNames.length === 1 ? '1 more view has' : `${viewNames.length} more views have`;
  return `${what} new matches in this batch: ${new Intl.ListFormat('en').format(all)}`;
}
