import type { components } from 'dataset-media-service-sdk';
import { counted, formatBytes, formatNumber } from './format';

type FilePreview = components['schemas']['AnnotationFilePreview'];

interface Progress {
  readonly total: number;
  readonly done: number;
  readonly totalBytes: number;
  readonly sentBytes: number;
}

const MOST_NAMED = 5;
const named = (names: readonly string[]): string =>
  `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ' and others' : ''}`;

const sentOf = (done: number, total: number): string =>
  `${formatNumber(done)} of ${counted(total, 'file was', 'files were')} sent`;

export const adding = {
  obstacles: {
    viewer: 'You may look at this dataset, but not change it',
    draft: 'Not before it is indexed',
    busy: 'Not while it is being updated',
    failed: 'Not after a failed operation',
  },
  add: {
    action: 'Add media',
    title: (name: string) => `Add media to ${name}`,
    from: 'From',
    sources: { location: 'Location', files: 'Files', archive: 'Archive' },
    location: 'Folder, bucket or manifest',
    locationHint:
      'A folder on the machine of the service, such as /data/photos, or s3://bucket/prefix; or a manifest that lists media (.csv, .parquet, .txt).',
    role: 'Role to assume (optional)',
    roleHint: 'The ARN of a role that may read the bucket, such as arn:aws:iam::123456789012:role/media.',
    reindex: 'Reindex afterwards',
    reindexHint:
      'Compares and clusters all media again. Without it, the new media can be searched sooner, and are clustered with the others by a later reindex.',
    parts: (count: number) =>
      `They are added in ${formatNumber(count)} parts, one after the other. Keep this page open until the last one is sent.`,
    noArchive: 'This is no .zip, .tar, .tar.gz or .tgz.',
    oneArchive: 'One archive at a time.',
    confirm: 'Add media',
    started: (name: string) => `The media are being added to ${name}.`,
  },
  folders: {
    browse: 'Browse folders',
    hide: 'Hide the folders',
    label: 'Folders of the service',
    roots: 'Folders that the service may read',
    up: 'Up',
    ofService: 'An administrator sets them as MEDIA_ROOTS.',
    found: (folders: number, media: number, isComplete: boolean) =>
      `${counted(folders, 'folder', 'folders')}, and ${counted(media, 'image or video', 'images and videos')} directly in it.${
        isComplete ? '' : ' It has so many entries that not all of them are shown.'
      }`,
  },
  choice: {
    files: 'Choose files',
    folder: 'Choose a folder',
    archive: 'Choose an archive',
    filesHint: 'Or drop them here: images, videos and annotation files. Folders keep their paths.',
    archiveHint: 'Or drop it here: one .zip, .tar, .tar.gz or .tgz. Folders in it keep their paths.',
    chosen: (count: number, bytes: number) => `${counted(count, 'file', 'files')} chosen, ${formatBytes(bytes)}`,
    chosenArchive: (name: string, bytes: number) => `${name}, ${formatBytes(bytes)}`,
    clear: 'Choose nothing',
    reading: (count: number) => `Reading the dropped files: ${counted(count, 'file', 'files')} so far …`,
    unreadable: (paths: readonly string[]) =>
      `The browser cannot read ${named(paths)}. What you dropped is taken without.`,
  },
  annotations: {
    title: 'Annotation files',
    choose: 'Choose annotation files',
    lead: 'Or drop them here. Labels, captions and boxes are taken from files with exactly these names:',
    leadOfLocation:
      'Labels, captions and boxes are taken from files with these names directly in the folder, or added afterwards by the menu of the dataset:',
    contents: {
      coco: 'COCO: labels and boxes',
      images: 'filename, label, caption',
      objects: 'filename, col_x, row_y, width, height, label',
    },
    contentsLater: {
      coco: 'COCO: labels and boxes; score, of what a model found',
      images: 'filename, label, caption, metadata.NAME for each field of your own',
      objects: 'filename, col_x, row_y, width, height, label; confidence, of what a model found',
    },
    chosen: (name: string, size: string) => `${name}, ${size}`,
    remove: (name: string) => `Remove ${name}`,
    refused: (names: readonly string[]) =>
      `${named(names)}: not the name of an annotation file. Rename it to one of those below.`,
    naming: 'They name a file like this:',
  },
  folderLabels: {
    label: 'Folder names as labels',
    hint: 'Each image gets the name of its folder as a label, also those that are added later.',
    count: (files: number) => formatNumber(files),
    more: (labels: number) => ` and ${formatNumber(labels)} more`,
    none: 'No image of this dataset is in a folder.',
  },
  annotate: {
    action: 'Add annotations',
    title: (name: string) => `Add annotations to ${name}`,
    partial: 'Not before the added media are reindexed',
    from: 'From',
    sources: { source: 'Files of any tool', files: 'Files with captions and fields', folders: 'Folder names' },
    texts: {
      source:
        'Boxes, polygons, masks, keypoints and labels become annotations of a source. The dataset can be searched and changed meanwhile.',
      files:
        'The files name media by their paths in the dataset. All of it appears at once; until then the dataset can be searched, but not changed.',
      folders: 'Each image gets the name of its folder as a label. All of it appears at once.',
    },
    started: (name: string) => `The media of ${name} are being labelled.`,
    mode: 'What is there',
    modes: { add: 'Add to existing annotations', replace: 'Replace existing annotations' },
    modeHints: {
      add: 'Labels and boxes are added to those that media have. A caption, or the value of a field, replaces the one before.',
      replace:
        'A medium that is given labels, boxes or fields loses those that people gave it before. What models found stays, except boxes where a file has boxes of models.',
    },
    confirm: 'Add annotations',
  },
  sourceFiles: {
    filesHint: 'Or drop them here. Archives (.zip, .tar) are read as they are.',
    tooMany: (most: number) => `At most ${formatNumber(most)} files at once: put them into an archive.`,
    format: 'Format',
    told: 'Told by the content',
    formats: {
      coco: 'COCO',
      yolo: 'YOLO',
      voc: 'Pascal VOC',
      labelme: 'LabelMe',
      cvat: 'CVAT',
      datumaro: 'Datumaro',
      'label-studio': 'Label Studio',
      mot: 'MOT',
      imagefolder: 'Image folder',
      webdataset: 'WebDataset',
      'class-folders': 'Class folders',
      table: 'CSV or JSON of ours',
    } satisfies Record<FilePreview['format'], string>,
    source: 'Source',
    sourceHint: 'Whose these are: an existing source, or a new name such as detector-a.',
    known: (kind: string, count: number) =>
      `An existing source: ${kind}, ${counted(count, 'annotation', 'annotations')}.`,
    ofModel: 'What a model found stays as it is: choose another name, or ground_truth to correct it.',
    kind: 'A new source has',
    kinds: { predictions: 'Predictions', truth: 'What people say' },
    mode: 'What the source has already',
    modes: { add: 'Add', merge: 'Merge', replace: 'Replace', delete: 'Delete' },
    modeHints: {
      add: 'Annotations are added; those whose id the source has stay as they are.',
      merge: 'Annotations whose id the source has are changed, others are added.',
      replace: 'All that the source has is replaced.',
      delete: 'Annotations with the ids of the files are removed from the source.',
    },
    replaced: (count: number) =>
      `${counted(count, 'annotation', 'annotations')} of the source ${count === 1 ? 'is' : 'are'} replaced. Snapshots keep theirs.`,
    preview: 'Preview',
    tooLarge: 'Files of more than 64 MiB have no preview. The task names what it leaves out.',
    found: (format: string, annotations: number, pictures: number) =>
      `${format}: ${counted(annotations, 'annotation', 'annotations')} of ${counted(pictures, 'picture', 'pictures')}.`,
    beginning: 'This is only the beginning; the import reads all of it.',
    unmatched: (count: number, names: readonly string[]) =>
      `${counted(count, 'annotation is', 'annotations are')} of pictures that the dataset does not have: ${named(names)}.`,
    faults: 'What is left out',
    first: (count: number) => `The first ${counted(count, 'annotation', 'annotations')}`,
    columns: ['Picture', 'Label', 'Shape', 'Confidence', 'More'],
    noPicture: 'not in the dataset',
    shapes: { none: 'none', box: 'box', polygon: 'polygon', mask: 'mask', keypoints: 'keypoints' },
    id: (id: string) => `id ${id}`,
  },
  reindex: {
    action: 'Reindex',
    note: 'Media were added since the last one',
    notice:
      'Media were added, and can be searched, except by a picture of yours. A reindex compares and clusters all media again.',
    started: 'The clusters are being rebuilt.',
  },
  draft: {
    action: 'Upload files',
    title: (name: string) => `Upload the files of ${name}`,
    text: 'It is indexed when all of them are sent. Choose all of them: what an earlier upload sent is not used.',
    confirm: 'Upload files',
  },
  sync: {
    action: 'Sync with the source',
    title: (name: string) => `Sync ${name} with its source?`,
    text: 'The dataset is compared with the folder, bucket or manifest that it was made from:',
    steps: (prunes: boolean) => [
      'Files that are new there are added.',
      'Files that have changed are replaced.',
      prunes
        ? 'Media whose files are gone are removed.'
        : 'Files that are gone are named by the task; their media stay.',
    ],
    prune: 'Remove the media of files that are gone',
    pruneHint: 'Their labels, tags and captions go with them; snapshots keep theirs.',
    confirm: 'Sync',
    confirmPrune: 'Sync and remove',
    started: (name: string) => `${name} is being compared with its source. The task shows the differences.`,
  },
  upload: {
    title: (name: string) => `Uploading to ${name}`,
    progress: ({ total, done, totalBytes, sentBytes }: Progress) => {
      const bytes = `${formatBytes(Math.floor(sentBytes))} of ${formatBytes(totalBytes)}`;
      return total === 1 ? bytes : `${formatNumber(done)} of ${counted(total, 'file', 'files')}, ${bytes}`;
    },
    waiting: 'The service cannot be reached. The upload continues when it is back.',
    'signed-out': 'Your session has ended. The upload continues when you have signed in.',
    blocked: 'The dataset is being updated. The upload continues afterwards.',
    adding: {
      creation: 'Uploaded. The service is indexing.',
      addition: 'Sent. The service is adding them.',
      annotation: 'Sent. The service is giving them to the media.',
    },
    over: {
      creation: (notes: readonly string[]) =>
        notes.length === 0 ? 'Uploaded and indexed.' : `Uploaded, but not indexed: ${notes.join(' ')}`,
      addition: (notes: readonly string[]) =>
        notes.length === 0 ? 'Added to the dataset.' : `Done. ${notes.join(' ')}`,
      annotation: (notes: readonly string[]) =>
        notes.length === 0 ? 'Done. Every annotation was given to its media.' : 'Done, but not all of it was used:',
    },
    aborted: 'It was aborted.',
    unreadable: (count: number) => `${counted(count, 'file', 'files')} could not be read.`,
    failed: (why: string) => `The upload stopped: ${why}`,
    retry: 'Go on',
    refused: (count: number) => `${counted(count, 'file was', 'files were')} refused`,
    moreRefused: (count: number) => `and ${formatNumber(count)} more`,
    left: {
      creation: (done: number, total: number) =>
        `The page was left when ${sentOf(done, total)}. Send all of them again by “Upload files” in the menu of the dataset, or delete it.`,
      addition: (done: number, total: number) =>
        `The page was left when ${sentOf(done, total)}. Add the same files again: those that are there already are left out.`,
      annotation: () => 'The page was left before the annotation files were sent. Add them again.',
    },
    nothing: 'None of the files was accepted.',
    unsupported: 'Unsupported file format',
    gone: 'It was deleted or changed since it was chosen.',
    hide: 'Hide',
  },
};
