import { counted, formatNumber, formatPercent } from './format';

/** The size of a selection; media that were not selected by cluster belong to none. */
function what(count: number, clusters: number): string {
  const media = counted(count, 'medium', 'media');
  return clusters === 0 ? media : `${media} of ${counted(clusters, 'cluster', 'clusters')}`;
}

export const media = {
  skip: 'Skip to the pictures',
  select: 'Select',
  findSimilar: 'Find similar',
  searchByPart: 'Search by a part',
  likeness: (percent: string) => `${percent} alike`,
  inText: 'In the picture’s text',
  picture: {
    missing: 'No picture',
    unread: 'Not read',
    missingNamed: (name: string) => `${name}, without its picture`,
    again: 'Try again',
  },
  facts: {
    names: {
      name: 'File name',
      labels: 'Labels',
      tags: 'Tags',
      caption: 'Caption',
      pixels: 'Width and height',
      file_size: 'File size',
      uniqueness: 'Uniqueness',
      issues: 'Issues',
    },
    pixels: (width: number, height: number) => `${width} × ${height}`,
  },
  tiles: {
    label: 'Tiles',
    show: 'Show on tiles',
    fields: 'Fields of this dataset',
    full: (most: number) => `A tile has room for ${most}.`,
    size: 'Size of the tiles',
    sizes: ['Tiny', 'Small', 'Medium', 'Large', 'Larger', 'Largest'],
  },
  selection: {
    bar: 'Selection',
    what,
    selected: (media: number, clusters: number) => `${what(media, clusters)} selected`,
    tag: 'Tag',
    export: 'Export',
    all: 'All that match',
    someOfClusters: (most: number) =>
      `The first ${formatNumber(most)} clusters are selected: an action takes no more at once. Choose a coarser grouping, or filter, to reach the others.`,
    someOfMedia: (most: number) =>
      `The first ${formatNumber(most)} media are selected: an action takes no more at once.`,
    tooMuch: (most: number) => `An action takes at most ${formatNumber(most)}`,
    failed: (why: string) => `Not everything could be selected: ${why}`,
    clear: 'Clear the selection',
    forbidden: (mayTag: boolean, mayExport: boolean) =>
      mayTag
        ? 'Viewers of the workspace cannot export'
        : mayExport
          ? 'Only editors and the owner of the dataset can tag'
          : 'You may look at these media, but not tag or export them',
  },
  tag: {
    title: 'Tag the selection',
    name: 'Tag',
    hint: 'An existing tag, or a new one.',
    assign: 'Assign',
    unassign: 'Take off',
    existing: 'Existing tags',
    done: {
      assign: (count: number, clusters: number, name: string) =>
        `${what(count, clusters)} ${count === 1 ? 'has' : 'have'} the tag ${name} now.`,
      unassign: (count: number, clusters: number, name: string) =>
        `${what(count, clusters)} ${count === 1 ? 'does' : 'do'} not have the tag ${name} any more.`,
    },
  },
  export: {
    title: 'Export the selection',
    format: 'Format',
    formats: { json: 'JSON', csv: 'CSV', parquet: 'PARQUET', coco: 'COCO', yolo: 'YOLO' },
    images: 'Include the images',
    start: 'Export',
    started: (media: number, clusters: number) => `The export of ${what(media, clusters)} is being made.`,
    done: 'The export is ready.',
    download: 'Download',
    failed: (why: string) => `The export failed: ${why}`,
  },
  detail: {
    title: 'Details',
    close: 'Close the details',
    previous: 'Previous',
    next: 'Next',
    original: 'Open the original',
    noPreview: 'The browser cannot show this format; this is the preview.',
    path: 'Path',
    caption: 'Caption',
    generated: 'Generated caption',
    text: 'Text in the picture',
    by: (source: string) => `by ${source}`,
    labels: 'Labels',
    tags: 'Tags',
    none: 'None',
    issues: 'Issues',
    noIssues: 'No issues',
    neighboursSay: (label: string) => `Neighbours say ${label}`,
    uniqueness: 'Uniqueness',
    nearest: 'Nearest is',
    alikeWord: 'alike',
    frames: 'Frames',
    frameOf: (time: string) => `Frame at ${time}`,
    playFrom: (time: string) => `Play from ${time}`,
    showFrame: 'Show the frame',
    zoom: 'Zoom',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    copyLink: 'Copy the link',
    copied: 'The link is copied.',
    alike: (value: number) => `${formatPercent(value)} alike`,
    size: 'Size',
    pixels: (width: number, height: number) => `${width} × ${height}`,
    format: 'Format',
    duration: 'Duration',
    seconds: (value: number) => `${value.toFixed(1)} s`,
    frameAt: 'Frame at',
    sharpness: 'Sharpness',
    brightness: 'Brightness',
    batch: 'Batch',
    showBatch: 'All that were added with it',
    sha256: 'SHA-256',
    id: 'Id',
    similar: 'Most similar',
    parent: 'Part of',
    children: 'Objects and frames',
  },
};
