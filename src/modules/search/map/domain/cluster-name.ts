import type { LabelHierarchy } from '../../../../common/engine/models/label-hierarchy';
import type { FolderCount, LabelCount } from '../../../versions';

/** The maximum of labels and folders in the name of a cluster. */
export const MOST_NAMES = 2;

/** The most frequent ones first. */
interface Contents {
  readonly labels: readonly LabelCount[];
  readonly folders: readonly FolderCount[];
}

const isShared = ({ count }: { readonly count: number }, media: number): boolean => 2 * count >= media;

/** The label, or otherwise the folder, of at least half of the media. */
export function sharedName(media: number, { labels, folders }: Contents): string | undefined {
  if (labels[0] !== undefined && isShared(labels[0], media)) return labels[0].label;
  return folders.find((each) => each.folder !== '' && isShared(each, media))?.folder;
}

/** The most frequent labels, or otherwise folders. */
export function frequentNames({ labels, folders }: Contents): string | undefined {
  const named = folders.flatMap(({ folder }) => (folder === '' ? [] : [folder]));
  const frequent = labels.length > 0 ? labels.map(({ label }) => label) : named;
  return frequent.length === 0 ? undefined : frequent.slice(0, MOST_NAMES).join(', ');
}

/** Of the parents that at least half of the media have, the most frequent of those without a narrower one among them. */
export function sharedParent(
  parents: readonly LabelCount[],
  media: number,
  hierarchy: Pick<LabelHierarchy, 'parentsOf'>,
): string | undefined {
  const shared = parents.filter((each) => isShared(each, media)).map(({ label }) => label);
  const wider = new Set(shared.flatMap((label) => hierarchy.parentsOf(label)));
  return shared.find((label) => !wider.has(label));
}
