import { counted, formatNumber } from './format';

export const datasets = {
  title: 'Datasets',
  create: 'New dataset',
  empty: {
    title: 'No datasets yet',
    text: 'Create one from a folder or a bucket that the service can read, or drop files and folders here.',
    viewer: 'Datasets that are shared with you will be here. As a viewer of the workspace you cannot create any.',
  },
  search: 'Search datasets',
  sort: 'Sort',
  sorts: { newest: 'Newest first', oldest: 'Oldest first', name: 'By name', largest: 'Largest first' },
  none: {
    title: 'No dataset matches',
    text: 'No name or description has all of these words.',
    clear: 'Show all datasets',
  },
  drop: 'Drop files or folders to make a dataset of them',
  images: (count: number) => counted(count, 'image', 'images'),
  videos: (count: number) => counted(count, 'video', 'videos'),
  objects: (count: number) => counted(count, 'object', 'objects'),
  status: {
    DRAFT: 'Draft',
    INDEXING: 'Indexing',
    'READ ONLY': 'Updating',
    'PARTIAL INDEX': 'Media added',
    READY: 'Ready',
    ERROR: 'Failed',
  },
  progress: (name: string, percent: number) => `${name}: ${percent} % indexed`,
  actions: (name: string) => `Actions for ${name}`,
  quarantine: {
    action: 'Unreadable files',
    title: (name: string) => `Unreadable files of ${name}`,
    none: 'No file is listed: all that were read are in the dataset.',
    some: (shown: number, total: number) =>
      shown < total
        ? `The first ${formatNumber(shown)} of ${formatNumber(total)} files that could not be indexed.`
        : `${counted(total, 'file', 'files')} could not be indexed. The others are in the dataset.`,
    file: 'File',
    reason: 'Reason',
  },
  share: {
    action: 'Share',
    title: (name: string) => `Share ${name}`,
    email: 'E-mail address',
    role: 'Role',
    roles: { owner: 'Owner', editor: 'Editor', viewer: 'Viewer' },
    add: 'Share',
    people: 'People with access',
    remove: (email: string) => `Stop sharing with ${email}`,
    shared: (email: string) => `Shared with ${email}.`,
    unshared: (email: string) => `No longer shared with ${email}.`,
  },
  remove: {
    action: 'Delete',
    title: (name: string) => `Delete ${name}?`,
    text: 'Its index, tags, views and snapshots are deleted for good. Files in your own folders and buckets are not touched.',
    confirm: 'Delete dataset',
    done: (name: string) => `${name} is deleted.`,
  },
  form: {
    title: 'New dataset',
    from: 'From',
    sources: { location: 'Folder or bucket', files: 'Files of this computer' },
    name: 'Name',
    location: 'Folder, bucket or manifest',
    locationHint: 'A path on the machine of the service, such as /data/photos, or s3://bucket/prefix.',
    create: 'Create dataset',
    started: (name: string) => `${name} is being indexed.`,
    defaultName: 'New dataset',
  },
};
