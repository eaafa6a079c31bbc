import type { DatasetListItem } from '../../api/datasets';

export const SORTS = ['newest', 'oldest', 'name', 'largest'] as const;
export type Sort = (typeof SORTS)[number];

export type Listed = Pick<DatasetListItem, 'display_name' | 'description' | 'created_at' | 'n_images' | 'n_videos'>;

const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const sizeOf = ({ n_images: images, n_videos: videos }: Listed): number => images + videos;
const newest = (one: Listed, other: Listed): number => (one.created_at < other.created_at ? 1 : -1);

const ORDERS: Readonly<Record<Sort, (one: Listed, other: Listed) => number>> = {
  newest,
  oldest: (one, other) => newest(other, one),
  name: (one, other) => names.compare(one.display_name, other.display_name),
  largest: (one, other) => sizeOf(other) - sizeOf(one),
};

/** Without case and accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** Those with every word of the search in the name or the description, in order. */
export function listed<Each extends Listed>(
  all: readonly Each[],
  { search, sort }: { readonly search: string; readonly sort: Sort },
): readonly Each[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return all
    .filter(({ display_name: name, description }) => {
      const text = plain(`${name} ${description}`);
      return words.every((word) => text.includes(word));
    })
    .sort(ORDERS[sort]);
}
