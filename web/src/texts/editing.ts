import { counted } from './format';

/** How a dataset and its tags are called. */
export const editing = {
  describe: {
    action: 'Rename',
    title: (name: string) => `Rename ${name}`,
    save: 'Save',
    done: (name: string) => `The dataset is called ${name} now.`,
  },
  tags: {
    action: 'Tags',
    notNow: 'while nothing else changes the dataset',
    title: (name: string) => `Tags of ${name}`,
    none: 'There are no tags yet. Select media in Explore and tag them.',
    items: (count: number) => counted(count, 'medium', 'media'),
    rename: (name: string) => `Rename ${name}`,
    remove: (name: string) => `Delete ${name}`,
    name: 'Name',
    save: 'Rename',
    renamed: (from: string, to: string) => `The tag ${from} is called ${to} now.`,
    removeTitle: (name: string) => `Delete the tag ${name}?`,
    removeText: (count: number) =>
      `${counted(count, 'medium loses', 'media lose')} it. The media stay. Snapshots keep the tag.`,
    confirm: 'Delete tag',
    removed: (name: string) => `The tag ${name} is deleted.`,
  },
};
