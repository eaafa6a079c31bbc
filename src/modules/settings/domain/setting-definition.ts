import type { RuntimeSettings } from '../../../common/platform/config/runtime-settings.schema';
import type { ModelType } from '../../../common/engine/models/model-manifest';

export type SettingName = keyof RuntimeSettings;

/** Settings that name a model, with its type. */
export const MODEL_SETTINGS = {
  IMAGE_MODEL: 'IMAGE_ENCODING',
  TEXT_MODEL: 'TEXT_ENCODING',
} as const satisfies Partial<Record<SettingName, ModelType>>;

type NamesOf<Value> = {
  [Name in SettingName]: RuntimeSettings[Name] extends Value ? Name : never;
}[SettingName];

export type BooleanSetting = NamesOf<boolean>;
export type NumberSetting = NamesOf<number>;
export type ModelSetting = keyof typeof MODEL_SETTINGS;
export type ChoiceSetting = Exclude<NamesOf<string>, ModelSetting>;

type KindOf<Name extends SettingName> = Name extends BooleanSetting
  ? 'boolean'
  : Name extends NumberSetting
    ? 'number'
    : Name extends ModelSetting
      ? 'model'
      : 'choice';

export interface SettingDefinition<Name extends SettingName = SettingName> {
  readonly kind: KindOf<Name>;
  readonly meaning: string;
}

export const NO_EFFECT = 'Kept for compatibility; this service does not use it.';

/** Every value that can be changed while the service runs. */
export const SETTING_DEFINITIONS: { readonly [Name in SettingName]: SettingDefinition<Name> } = {
  ADD_MEDIA_ENABLED: { kind: 'boolean', meaning: 'Media can be added to existing datasets.' },
  DATASET_SNAPSHOTS_ENABLED: {
    kind: 'boolean',
    meaning: 'Snapshots are enabled; datasets created while they are disabled never have any.',
  },
  DELETE_DATASET_ENABLED: { kind: 'boolean', meaning: 'Datasets can be deleted.' },
  DATASET_SHARE_ENABLED: { kind: 'boolean', meaning: 'Datasets can be shared with other users.' },
  SWAP_RGB_CHANNELS_FOR_TIFF_HEIC: {
    kind: 'boolean',
    meaning: 'Swaps the red and blue channels of TIFF and HEIC images when they are read.',
  },
  FRAME_EXTRACTION_RESIZE_HEIGHT: {
    kind: 'number',
    meaning: 'Maximum height of video frames in pixels; taller frames are scaled down. 0 keeps their size.',
  },
  MAX_NUM_OF_IMAGES: { kind: 'number', meaning: 'How many files a dataset may hold.' },
  IMAGE_MODEL: {
    kind: 'model',
    meaning: 'The model that embeds the media of new datasets; an existing dataset keeps its model.',
  },
  TEXT_MODEL: {
    kind: 'model',
    meaning: 'The model that embeds the captions of new datasets; an existing dataset keeps its model.',
  },
  LOG_LEVEL: { kind: 'choice', meaning: 'Minimum level of log lines: DEBUG, INFO, WARNING, ERROR or CRITICAL.' },
  RATE_LIMIT_LOGIN: { kind: 'number', meaning: 'Sign-ins a minute from one address; 0 for no limit.' },
  RATE_LIMIT_CREDENTIALS: {
    kind: 'number',
    meaning: 'Requests a minute of one user for API credentials; 0 for no limit.',
  },
  RATE_LIMIT_UPLOAD: { kind: 'number', meaning: 'Uploads a minute of one user; 0 for no limit.' },
  RATE_LIMIT_SEARCH: { kind: 'number', meaning: 'Searches a minute of one user; 0 for no limit.' },
  RATE_LIMIT_EXPORT: { kind: 'number', meaning: 'Exports that one user starts a minute; 0 for no limit.' },
  RATE_LIMIT_PUBLIC: {
    kind: 'number',
    meaning:
      'Requests a minute from one address to routes without a sign-in, such as metrics, sign-out and the pipeline interface; 0 for no limit.',
  },
  RATE_LIMIT_MEDIA: {
    kind: 'number',
    meaning: 'Requests a minute from one address for media and exports by signed URLs; 0 for no limit.',
  },
  MAX_STREAMS_PER_USER: {
    kind: 'number',
    meaning: 'Notification streams that one user may have open at a process of the service; 0 for no limit.',
  },
  MAX_VIEWS_PER_USER: { kind: 'number', meaning: 'Saved views that one user may have in a dataset; 0 for no limit.' },
  MAX_VIEWS_PER_DATASET: { kind: 'number', meaning: 'Saved views that a dataset may have; 0 for no limit.' },
  MAX_NOTIFICATIONS_PER_BATCH: {
    kind: 'number',
    meaning:
      'Views that each get a notification of their own for one batch; the rest share one more notification. 0 for no limit.',
  },
  VL_CHAT_ENABLED: { kind: 'boolean', meaning: `Chat assistant. ${NO_EFFECT}` },
  ENRICHMENT_INLINE_FLOW_ENABLED: { kind: 'boolean', meaning: `Inline enrichment workflow. ${NO_EFFECT}` },
  ENRICHMENT_PREVIEW_SERVICE_ENABLED: {
    kind: 'boolean',
    meaning: 'Models can be tried on a few media of a dataset before they are applied.',
  },
  ENRICHMENT_DKMC2_ENABLED: { kind: 'boolean', meaning: `Several vectors for an image. ${NO_EFFECT}` },
  PREPROCESS_ENABLED: { kind: 'boolean', meaning: `Preprocessing before indexing. ${NO_EFFECT}` },
  DATASET_INGESTION_ONPREM_UI_ENABLED: {
    kind: 'boolean',
    meaning: `Upload in the user interface. ${NO_EFFECT}`,
  },
  DATASET_CREATION_V2: { kind: 'boolean', meaning: `Creation of datasets in the user interface. ${NO_EFFECT}` },
  FILE_FILTER_TREE_INCLUDE_FILES: {
    kind: 'boolean',
    meaning: `Files in the folder tree of the user interface. ${NO_EFFECT}`,
  },
  SERVE_ORIGINAL_IMAGE: {
    kind: 'boolean',
    meaning: 'Shows originals instead of thumbnails, for images that browsers can display.',
  },
  SERVE_ORIGINAL_VIDEO: { kind: 'boolean', meaning: `Videos from where they come from. ${NO_EFFECT}` },
  SKIP_IMAGE_THUMBNAIL_GENERATION: { kind: 'boolean', meaning: `Indexing without thumbnails. ${NO_EFFECT}` },
  CLEAN_THRESHOLD: { kind: 'number', meaning: `Similarity of near duplicates that are cleaned. ${NO_EFFECT}` },
};

export const SETTING_NAMES = Object.keys(SETTING_DEFINITIONS) as SettingName[];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(SETTING_DEFINITIONS, name);
