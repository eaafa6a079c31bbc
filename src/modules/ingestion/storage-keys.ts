const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The keys of objects that the service writes for ingestion. A store may share its bucket or folder with other files,
 * so only keys of exactly this form are swept, or skipped in a source.
 */
export const OWN_MEDIA_KEYS = {
  'blobs/': /^blobs\/([0-9a-f]{2})\/\1[0-9a-f]{62}(?:\.[a-z0-9]+)?$/,
  'thumbs/': /^thumbs\/([0-9a-f]{2})\/\1[0-9a-f]{62}(?:-[0-9a-f]{16})?(?:\.\d{1,4})?\.webp$/,
  'frames/': /^frames\/[0-9a-f]{64}\/(\d{2,4}p\/)?output_\d{6,}\.jpg$/,
} as const;

/** The marker of the store; listed here so that it is not taken for a source file. */
const STORE_MARK = '.installation.json';

/** Prefixes of everything that the service writes. */
export const OWN_PREFIXES = [
  ...Object.keys(OWN_MEDIA_KEYS),
  'staging/',
  'work/',
  'tables/',
  'edges/',
  'quantised/',
  'tags/',
  'annotations/',
  'evaluations/',
  'exports/',
  'keys/',
] as const;

const PASSING_KEY = new RegExp(
  `^(?:staging/${UUID}(?:/${UUID})?$|(?:work|tables|edges|quantised|tags|annotations|evaluations|exports|keys)/${UUID}(?=[./]))`,
);

export const isOwnKey = (key: string): boolean =>
  key === STORE_MARK || PASSING_KEY.test(key) || Object.values(OWN_MEDIA_KEYS).some((form) => form.test(key));

/** Prefixes of tables and their files. */
export const TABLE_PREFIXES = ['tables/', 'edges/', 'quantised/', 'keys/'] as const;

const TABLE_KEY = new RegExp(`^(?:tables/(${UUID})\\.lance/|(?:edges|quantised|keys)/(${UUID})/)`);

/** The generation that a key under one of them belongs to. */
export const generationOfKey = (key: string): string | undefined => {
  const found = TABLE_KEY.exec(key);
  return found?.[1] ?? found?.[2];
};

/** The task that a key under `work/` belongs to. */
export const taskOfWork = (key: string): string | undefined => new RegExp(`^work/(${UUID})/`).exec(key)?.[1];
