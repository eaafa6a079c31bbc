const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * The keys of what the service itself writes while it takes media in. A store may share its bucket or folder with files
 * of others, so nothing is swept, and nothing passed over as a source, that has not exactly this form.
 */
export const OWN_MEDIA_KEYS = {
  'blobs/': /^blobs\/([0-9a-f]{2})\/\1[0-9a-f]{62}(?:\.[a-z0-9]+)?$/,
  'thumbs/': /^thumbs\/([0-9a-f]{2})\/\1[0-9a-f]{62}(?:-[0-9a-f]{16})?\.webp$/,
  'frames/': /^frames\/[0-9a-f]{64}\/(\d{2,4}p\/)?output_\d{6,}\.jpg$/,
} as const;

const PASSING_KEY = new RegExp(`^(?:staging/${UUID}$|(?:work|tables|edges|tags|exports)/${UUID}(?=[./]))`);

export const isOwnKey = (key: string): boolean =>
  PASSING_KEY.test(key) || Object.values(OWN_MEDIA_KEYS).some((form) => form.test(key));

/** The task that a key under `work/` belongs to. */
export const taskOfWork = (key: string): string | undefined => new RegExp(`^work/(${UUID})/`).exec(key)?.[1];
