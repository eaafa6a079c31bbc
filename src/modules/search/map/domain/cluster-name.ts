import type { FolderCount, LabelCount } from '../../../versions';

/** As many of a cluster's labels and folders as its name needs, the most frequent first. */
export const MOST_NAMES = 2;

/** The label, or else the folder, that at least half of its media have in common; otherwise the two most frequent ones. */
export function clusterName(
  media: number,
  labels: readonly LabelCount[],
  folders: readonly FolderCount[],
): string | undefined {
  const named = folders.filter(({ folder }) => folder !== '').map(({ folder: name, count }) => ({ name, count }));
  const labelled = labels.map(({ label: name, count }) => ({ name, count }));
  const shared = [...labelled.slice(0, 1), ...named.slice(0, 1)].find(({ count }) => 2 * count >= media);
  if (shared !== undefined) return shared.name;
  const frequent = (labels.length > 0 ? labelled : named).slice(0, MOST_NAMES).map(({ name }) => name);
  return frequent.length === 0 ? undefined : frequent.join(', ');
}
