import { counted, formatBytes, formatNumber, formatPercent } from './format';

const groups = (count: number): string => counted(count, 'group', 'groups');
const media = (count: number): string => counted(count, 'medium', 'media');

/** `1 stays, 6 go`. */
const staysAndGoes = (kept: number, removed: number): string =>
  `${counted(kept, 'stays', 'stay')}, ${counted(removed, 'goes', 'go')}`;

export const duplicates = {
  title: 'Duplicates',
  tabs: { label: 'Groups', open: 'To review', decided: 'Decided' },
  noFileIsDeleted: 'No file is deleted: removed media are tagged and listed, and you delete their files yourself.',
  similarity: {
    label: 'Alike from',
    exact: 'exact copies',
    from: (value: number) => `${formatPercent(value)} alike`,
  },
  rule: {
    label: 'Keep',
    names: { largest: 'Largest', oldest: 'Oldest', sharpest: 'Sharpest', folder: 'By folder' },
    hints: {
      largest: 'Most pixels, then most bytes.',
      oldest: 'What was added to the dataset first.',
      sharpest: 'The sharpest picture.',
      folder: 'Media in the folder that you prefer.',
    },
  },
  folders: {
    button: (count: number) => (count === 0 ? 'Choose folders' : `${counted(count, 'folder', 'folders')} preferred`),
    title: 'Preferred folders',
    hint: 'Media in the first of these folders stay, then those in the second, and so on. A folder includes those below it.',
    add: 'Add a folder',
    choose: 'Choose …',
    up: (name: string) => `Prefer ${name} more`,
    remove: (name: string) => `Remove ${name}`,
    root: 'Top folder',
  },
  scope: {
    button: 'All media',
    title: 'Which groups',
    hint: 'Groups of which at least one medium matches, whole.',
    folder: 'Folder',
    label: 'Label',
    view: 'View',
    any: 'Any',
    narrowed: (names: readonly string[]) => names.join(', '),
    clear: 'Show all groups',
  },
  options: {
    button: 'Options',
    title: 'What else happens',
    tag: 'Tag removed media',
    tagName: 'Tag',
    carryTags: 'Give its tags to what stays',
    carryTexts: 'Give its labels and captions to what stays',
    carryTextsHint: 'After “Accept all” a task does it. After single decisions, use the button on the tab “Decided”.',
  },
  toRemove: 'to remove',
  /** The same on Quality. */
  found: (open: number, members: number) => `${groups(open)} with ${media(members)}`,
  overview: (removed: number, bytes: number) =>
    `${formatNumber(removed)} ${removed === 1 ? 'goes' : 'go'}, which frees ${formatBytes(bytes)}`,
  inDoubt: (count: number, removed: number) =>
    `${groups(count)} may have different pictures. They come last, and the ${formatNumber(removed)} of them that would go are not counted.`,
  progress: (decided: number, total: number) => `${formatNumber(decided)} of ${groups(total)} decided`,
  acceptAll: {
    button: 'Accept all',
    title: (count: number) => `Accept all ${groups(count)}?`,
    text: (kept: number, removed: number, bytes: number) =>
      `${media(kept)} ${kept === 1 ? 'stays' : 'stay'} and ${formatNumber(removed)} ${removed === 1 ? 'goes' : 'go'}, which frees ${formatBytes(bytes)}. All of it can be undone.`,
    withDoubtful: (count: number) =>
      `Also ${count === 1 ? 'the group that may have' : `the ${formatNumber(count)} groups that may have`} different pictures`,
    confirm: 'Accept all',
  },
  group: {
    label: (at: number, size: number) => `Group ${formatNumber(at)}, ${media(size)}`,
    size: (size: number) => media(size),
    more: (count: number) => `and ${formatNumber(count)} more`,
    identical: 'Same bytes',
    alike: (value: number) => `${formatPercent(value)} alike`,
    doubt: {
      LARGE: {
        name: 'Many pictures',
        text: 'These are more than five different pictures, so look at them before you accept. “Accept all” leaves this group out.',
      },
      CHAINED: {
        name: 'Not all alike',
        text: 'Some of these are less alike than asked for; another one connects them. “Accept all” leaves this group out.',
      },
    },
    compare: 'Compare',
    different: 'Different',
    accept: 'Accept',
    acceptHint: staysAndGoes,
  },
  member: {
    stays: 'Stays',
    goes: 'Goes',
    details: (name: string) => `Details of ${name}`,
    folder: 'Folder',
    pixels: 'Pixels',
    bytes: 'Size',
    added: 'Added',
    sharpness: 'Sharpness',
    alike: 'Likeness',
    root: 'Top folder',
    size: (width: number, height: number) => `${width} × ${height}`,
    has: (labels: number, tags: number, hasCaption: boolean) =>
      [
        ...(labels > 0 ? [counted(labels, 'label', 'labels')] : []),
        ...(tags > 0 ? [counted(tags, 'tag', 'tags')] : []),
        ...(hasCaption ? ['caption'] : []),
      ].join(', '),
    best: 'best',
  },
  keys: {
    title: 'Keys',
    list: [
      ['J, K', 'next, previous'],
      ['1 to 9', 'only this one stays'],
      ['Shift 1 to 9', 'it stays too, or not'],
      ['Enter', 'accept'],
      ['D', 'different'],
      ['C', 'compare'],
      ['U', 'undo'],
    ],
  },
  pager: {
    label: 'Pages of groups',
    range: (from: number, to: number, total: number) =>
      `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
    previous: 'Previous page',
    next: 'Next page',
  },
  done: {
    settled: staysAndGoes,
    all: (count: number, removed: number) => `${groups(count)} decided, ${media(removed)} marked for removal`,
    different: 'Called different',
    undo: 'Undo',
    undone: (count: number) => `${counted(count, 'decision is', 'decisions are')} undone.`,
  },
  failed: (why: string) => `The decision was not recorded: ${why}`,
  none: {
    title: 'No duplicates at this likeness',
    text: 'Lower the likeness to find media that are less alike, or look at other media.',
  },
  finished: {
    title: 'Everything is decided',
    text: (total: number) =>
      `All ${groups(total)} at this likeness are decided. They do not come back when the dataset is indexed again.`,
    action: 'Show the decisions',
  },
  compare: {
    title: 'Compare',
    mode: 'View',
    modes: { side: 'Side by side', swipe: 'Swipe', fade: 'Fade', difference: 'Difference' },
    slider: 'From the left one to the right one',
    left: 'Left',
    right: 'Right',
    choose: (name: string) => `Compare with ${name}`,
    keepLeft: 'Keep left',
    keepRight: 'Keep right',
    keepBoth: 'Keep all',
  },
  decided: {
    kinds: { SETTLED: 'Settled', DIFFERENT: 'Different' },
    summary: (kept: number, removed: number) =>
      removed === 0 ? `${media(kept)} kept` : `${formatNumber(kept)} kept, ${formatNumber(removed)} marked for removal`,
    by: (who: string, when: string) => `${who}, ${when}`,
    undo: 'Undo',
    undoBatch: 'Undo all of these',
    export: 'Export list',
    carry: 'Give labels and captions',
    carried: (count: number) =>
      count === 0
        ? 'What stays has all labels and captions already.'
        : `${counted(count, 'medium gets', 'media get')} labels or a caption.`,
    noneTitle: 'Nothing is decided yet',
    noneText: 'Groups that you settle, or call different, are listed here and can be undone.',
    missing: 'These media are not in the dataset any more.',
    list: 'Decisions',
  },
};
