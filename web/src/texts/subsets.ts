import { counted } from './format';

/** Some of the media of a dataset: as a new one, or taken out of it. */
export const subsets = {
  copy: {
    action: 'New dataset',
    cleaned: 'Make a cleaned dataset',
    without: 'New dataset without these',
    title: { chosen: 'New dataset of the selection', others: 'New dataset without these media' },
    text: {
      chosen: 'It gets the selected media, with their objects and frames.',
      others: 'It gets all other media of this dataset.',
    },
    shared: (name: string) =>
      `Labels, captions, tags, fields and decisions come along. No file is copied: both datasets share them. ${name} can be looked at, but not changed until the new dataset is made.`,
    defaultName: { chosen: (name: string) => `${name} (selection)`, others: (name: string) => `${name} (cleaned)` },
    views: 'Copy the saved views',
    confirm: 'Make the dataset',
    started: (name: string) => `${name} is being made.`,
    link: 'Open it',
  },
  remove: {
    action: 'Remove',
    title: 'Remove the selection from the dataset?',
    steps: [
      'The selected media leave the dataset, with their objects and frames.',
      'A snapshot is taken first. Restore it in History to have them back.',
      'No file is deleted. A sync with the source leaves the removed files out, as long as they do not change.',
      'Until it is done, the dataset can be looked at, but not changed.',
    ],
    confirm: 'Remove from dataset',
    started: 'The media are being removed.',
  },
  script: {
    action: 'Script that deletes the files',
    title: 'Delete the files of the list',
    text: 'The service deletes no file. This script does, on a machine that has the files under the same paths: run it with sh. A file is deleted only while the one that is kept instead exists.',
    script: 'Script',
    copy: 'Copy',
    copied: 'The script is copied.',
    download: 'Download',
    long: (lines: number) => `It has ${counted(lines, 'line', 'lines')}; these are the first.`,
  },
};
