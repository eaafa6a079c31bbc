import { z } from 'zod';
import { DEFAULT_IMAGE_MODEL, DEFAULT_TEXT_MODEL } from './default-models';

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

/** Settings whose defaults come from the environment and which an admin may change while the service runs. */
export const runtimeSettings = {
  ADD_MEDIA_ENABLED: booleanSetting(true),
  DATASET_SNAPSHOTS_ENABLED: booleanSetting(true),
  DELETE_DATASET_ENABLED: booleanSetting(true),
  DATASET_SHARE_ENABLED: booleanSetting(true),
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: booleanSetting(false),
  FRAME_EXTRACTION_RESIZE_HEIGHT: frameHeight,
  MAX_NUM_OF_IMAGES: whole(100_000_000).refine((images) => images > 0, { error: 'must be 1 or more' }),
  IMAGE_MODEL: z.string().min(1, { error: 'must name a model' }).default(DEFAULT_IMAGE_MODEL),
  TEXT_MODEL: z.string().min(1, { error: 'must name a model' }).default(DEFAULT_TEXT_MODEL),
  LOG_LEVEL: z
    .enum(['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'], {
      error: 'must be DEBUG, INFO, WARNING, ERROR or CRITICAL',
    })
    .default('INFO'),
  RATE_LIMIT_LOGIN: orNone(120),
  RATE_LIMIT_CREDENTIALS: orNone(30),
  RATE_LIMIT_UPLOAD: orNone(1200),
  RATE_LIMIT_SEARCH: orNone(1200),
  RATE_LIMIT_EXPORT: orNone(60),
  RATE_LIMIT_PUBLIC: orNone(6000),
  RATE_LIMIT_MEDIA: orNone(60_000),
  MAX_STREAMS_PER_USER: orNone(20),
  MAX_VIEWS_PER_USER: orNone(100),
  MAX_VIEWS_PER_DATASET: orNone(1000),
  MAX_NOTIFICATIONS_PER_BATCH: orNone(50),
  VL_CHAT_ENABLED: booleanSetting(false),
  ENRICHMENT_INLINE_FLOW_ENABLED: booleanSetting(false),
  ENRICHMENT_PREVIEW_SERVICE_ENABLED: booleanSetting(false),
  ENRICHMENT_DKMC2_ENABLED: booleanSetting(false),
  PREPROCESS_ENABLED: booleanSetting(false),
  DATASET_INGESTION_ONPREM_UI_ENABLED: booleanSetting(false),
  DATASET_CREATION_V2: booleanSetting(false),
  FILE_FILTER_TREE_INCLUDE_FILES: booleanSetting(true),
  SERVE_ORIGINAL_IMAGE: booleanSetting(false),
  SERVE_ORIGINAL_VIDEO: booleanSetting(false),
  SKIP_IMAGE_THUMBNAIL_GENERATION: booleanSetting(false),
  CLEAN_THRESHOLD: z.coerce
    .number({ error: 'must be a number' })
    .refine((value) => value === -1 || (value >= 0 && value <= 1), { error: 'must be 0 to 1, or -1 for automatic' })
    .default(-1),
};

export type RuntimeSettings = { [Name in keyof typeof runtimeSettings]: z.infer<(typeof runtimeSettings)[Name]> };

export const RUNTIME_SETTING_NAMES = Object.keys(runtimeSettings) as (keyof RuntimeSettings)[];

export const pickRuntimeSettings = (values: RuntimeSettings): RuntimeSettings =>
  Object.fromEntries(RUNTIME_SETTING_NAMES.map((name) => [name, values[name]])) as RuntimeSettings;
