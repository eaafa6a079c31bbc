import { z } from 'zod';

export const DEFAULT_IMAGE_MODEL = 'fixed-filters_v01';
export const DEFAULT_TEXT_MODEL = 'hashed-words_v00';

/** The models of new datasets where no setting names one: the first that is installed. The last are built in. */
export const PREFERRED_MODELS = {
  IMAGE_MODEL: ['photographs_v00', DEFAULT_IMAGE_MODEL],
  TEXT_MODEL: ['sentences_v00', DEFAULT_TEXT_MODEL],
} as const;

export const booleanSetting = (fallback: boolean) =>
  z
    .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
    .transform((value) => value === 'true' || value === '1')
    .default(fallback);

const whole = (fallback: number, what = 'a whole number') =>
  z.coerce
    .number({ error: `must be ${what}` })
    .int({ error: `must be ${what}` })
    .min(0, { error: 'must be 0 or more' })
    .max(1_000_000_000, { error: 'must be at most 1000000000' })
    .default(fallback);

const orNone = (fallback: number) => whole(fallback, 'a whole number; 0 for no limit');

const frameHeight = whole(0, 'a number of pixels').refine(
  (height) => height === 0 || (height >= 64 && height <= 4320),
  {
    error: 'must be 64 to 4320 pixels, or 0 to keep the size',
  },
);

const preferredModel = (name: keyof typeof PREFERRED_MODELS) =>
  z
    .string()
    .min(1, { error: 'must name a model' })
    .nullable()
    .default(null)
    .meta({ whenUnset: PREFERRED_MODELS[name].map((id) => `\`${id}\``).join(' where it is installed, else ') });

export const NO_EFFECT = 'Kept for compatibility; this service does not use it.';

/** Settings whose defaults come from the environment and which an admin may change while the service runs. */
export const runtimeSettings = {
  ADD_MEDIA_ENABLED: booleanSetting(true).meta({ description: 'Media can be added to existing datasets.' }),
  DATASET_SNAPSHOTS_ENABLED: booleanSetting(true).meta({
    description: 'Snapshots are available. Datasets created while they are disabled never have snapshots.',
  }),
  DELETE_DATASET_ENABLED: booleanSetting(true).meta({ description: 'Datasets can be deleted.' }),
  DATASET_SHARE_ENABLED: booleanSetting(true).meta({ description: 'Datasets can be shared with other users.' }),
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: booleanSetting(false).meta({
    description: 'Swaps the red and blue channels of TIFF and HEIC images when they are read.',
  }),
  FRAME_EXTRACTION_RESIZE_HEIGHT: frameHeight.meta({
    description: 'Maximum height of video frames in pixels. Taller frames are scaled down; 0 keeps their size.',
  }),
  MAX_NUM_OF_IMAGES: whole(100_000_000)
    .refine((images) => images > 0, { error: 'must be 1 or more' })
    .meta({ description: 'How many files a dataset may hold.' }),
  IMAGE_MODEL: preferredModel('IMAGE_MODEL').meta({
    description: 'The model that embeds the media of new datasets. An existing dataset keeps its model.',
  }),
  TEXT_MODEL: preferredModel('TEXT_MODEL').meta({
    description: 'The model that embeds the captions of new datasets. An existing dataset keeps its model.',
  }),
  LOG_LEVEL: z
    .enum(['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'], {
      error: 'must be DEBUG, INFO, WARNING, ERROR or CRITICAL',
    })
    .default('INFO')
    .meta({ description: 'Minimum level of log lines: DEBUG, INFO, WARNING, ERROR or CRITICAL.' }),
  RATE_LIMIT_LOGIN: orNone(120).meta({
    description:
      'Sign-in requests a minute from one address; 0 for no limit. Rate limits apply to each process, and not with AUTH_MODE=none.',
  }),
  RATE_LIMIT_CREDENTIALS: orNone(30).meta({
    description: 'Requests a minute of one user for API credentials; 0 for no limit.',
  }),
  RATE_LIMIT_UPLOAD: orNone(1200).meta({ description: 'Uploads a minute of one user; 0 for no limit.' }),
  RATE_LIMIT_SEARCH: orNone(1200).meta({ description: 'Searches a minute of one user; 0 for no limit.' }),
  RATE_LIMIT_EXPORT: orNone(60).meta({ description: 'Exports that one user starts a minute; 0 for no limit.' }),
  RATE_LIMIT_PUBLIC: orNone(6000).meta({
    description:
      'Requests a minute from one address to other routes without a sign-in, such as metrics, sign-out and the pipeline interface; 0 for no limit. Behind a proxy set TRUSTED_PROXIES, or all requests through it share one address.',
  }),
  RATE_LIMIT_MEDIA: orNone(60_000).meta({
    description: 'Requests a minute from one address for media and exports by signed URLs; 0 for no limit.',
  }),
  MAX_STREAMS_PER_USER: orNone(20).meta({
    description: 'Notification streams that one user may have open at a process of the service; 0 for no limit.',
  }),
  MAX_VIEWS_PER_USER: orNone(100).meta({
    description: 'Saved views that one user may have in a dataset; 0 for no limit.',
  }),
  MAX_VIEWS_PER_DATASET: orNone(1000).meta({ description: 'Saved views that a dataset may have; 0 for no limit.' }),
  MAX_NOTIFICATIONS_PER_BATCH: orNone(50).meta({
    description:
      'Views that each get a notification of their own for one batch. The others are summarised in one notification. 0 for no limit.',
  }),
  VL_CHAT_ENABLED: booleanSetting(false).meta({ description: `Chat assistant. ${NO_EFFECT}` }),
  ENRICHMENT_INLINE_FLOW_ENABLED: booleanSetting(false).meta({
    description: `Inline enrichment workflow. ${NO_EFFECT}`,
  }),
  ENRICHMENT_PREVIEW_SERVICE_ENABLED: booleanSetting(false).meta({
    description: 'Models can be tried on a few media of a dataset before they are applied.',
  }),
  ENRICHMENT_DKMC2_ENABLED: booleanSetting(false).meta({ description: `Several vectors for an image. ${NO_EFFECT}` }),
  PREPROCESS_ENABLED: booleanSetting(false).meta({ description: `Preprocessing before indexing. ${NO_EFFECT}` }),
  DATASET_INGESTION_ONPREM_UI_ENABLED: booleanSetting(false).meta({
    description: `Upload in the user interface. ${NO_EFFECT}`,
  }),
  DATASET_CREATION_V2: booleanSetting(false).meta({
    description: `Creation of datasets in the user interface. ${NO_EFFECT}`,
  }),
  FILE_FILTER_TREE_INCLUDE_FILES: booleanSetting(true).meta({
    description: `Files in the folder tree of the user interface. ${NO_EFFECT}`,
  }),
  SERVE_ORIGINAL_IMAGE: booleanSetting(false).meta({
    description: 'Shows originals instead of thumbnails, for images that browsers can display.',
  }),
  SERVE_ORIGINAL_VIDEO: booleanSetting(false).meta({ description: `Shows original videos. ${NO_EFFECT}` }),
  SKIP_IMAGE_THUMBNAIL_GENERATION: booleanSetting(false).meta({
    description: `Indexing without thumbnails. ${NO_EFFECT}`,
  }),
  CLEAN_THRESHOLD: z.coerce
    .number({ error: 'must be a number' })
    .refine((value) => value === -1 || (value >= 0 && value <= 1), { error: 'must be 0 to 1, or -1 for automatic' })
    .default(-1)
    .meta({ description: `Similarity of near duplicates that are cleaned. ${NO_EFFECT}` }),
};

export type RuntimeSettings = { [Name in keyof typeof runtimeSettings]: z.infer<(typeof runtimeSettings)[Name]> };

export const RUNTIME_SETTING_NAMES = Object.keys(runtimeSettings) as (keyof RuntimeSettings)[];

export const pickRuntimeSettings = (values: RuntimeSettings): RuntimeSettings =>
  Object.fromEntries(RUNTIME_SETTING_NAMES.map((name) => [name, values[name]])) as RuntimeSettings;
