import {
  RUNTIME_SETTING_NAMES,
  runtimeSettings,
  type RuntimeSettings,
} from '../../../common/platform/config/runtime-settings.schema';
import type { ModelType } from '../../../common/engine/models/model-manifest';
import { BadRequestError } from '../../../common/platform/errors/domain-error';
import { environmentSchema } from '../../../common/platform/config/environment.schema';

/** Readable but not settable: they are fixed at startup. */
const SHOWN_NAMES = ['DISABLE_AUTH', 'AUTH_MODE', 'RUN_MODE', 'SINGLE_WORKSPACE'] as const;

export type ShownName = (typeof SHOWN_NAMES)[number];

export const isShownName = (name: string): name is ShownName => (SHOWN_NAMES as readonly string[]).includes(name);

const isSecretName = (name: string): boolean => /SECRET|PASSWORD|TOKEN|_KEY$|^DATABASE_URL$/.test(name);

export type SettingValue = NonNullable<RuntimeSettings[SettingName]>;

/** The text form, as stored and shown: `true`, `720`, `INFO`. */
export const textOf = (value: SettingValue): string => String(value);

const EXPECTED = {
  boolean: 'true or false',
  number: 'a number',
  choice: 'a text',
  model: 'the name of a model',
} as const;

export const canonicalName = (given: string): string => given.trim().replaceAll('-', '_').toUpperCase();

export class UnknownSettingError extends BadRequestError {
  constructor(name: string) {
    super(`Unknown setting: ${name}`);
  }
}

export class SecretSettingError extends BadRequestError {
  constructor(name: string) {
    super(`${name} is a secret: only the environment of the service holds it`);
  }
}

export class StartTimeSettingError extends BadRequestError {
  constructor(name: string) {
    super(`${name} is read when the service starts: change it in its environment, and start it again`);
  }
}

export class InvalidSettingValueError extends BadRequestError {
  constructor(name: string, why: string) {
    super(`${name} ${why}`);
  }
}

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

export type SettingKind = 'boolean' | 'number' | 'model' | 'choice';

/** Every value that can be changed while the service runs. */
export const SETTING_NAMES = RUNTIME_SETTING_NAMES;

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(runtimeSettings, name);

export const isModelSetting = (name: SettingName): name is ModelSetting => Object.hasOwn(MODEL_SETTINGS, name);

export function settingKind(name: SettingName): SettingKind {
  if (isModelSetting(name)) return 'model';
  const kind = typeof runtimeSettings[name].parse(undefined);
  return kind === 'string' ? 'choice' : (kind as 'boolean' | 'number');
}

/** Parses a text or a JSON value; throws if it is not valid for the setting. */
export function parseSettingValue(name: SettingName, given: unknown): SettingValue {
  const text = readText(name, given);
  const parsed = runtimeSettings[name].safeParse(text);
  if (!parsed.success) throw new InvalidSettingValueError(name, parsed.error.issues[0]!.message);
  return parsed.data!;
}

function readText(name: SettingName, given: unknown): string {
  const kind = settingKind(name);
  if (typeof given === kind) return String(given);
  const text = typeof given === 'string' ? given.trim() : '';
  // Other JSON types, and empty text, are not valid.
  if (text === '') throw new InvalidSettingValueError(name, `must be ${EXPECTED[kind]}`);
  return kind === 'boolean' ? text.toLowerCase() : kind === 'choice' ? text.toUpperCase() : text;
}

/** The error for a name that is not a setting. */
export function refusalOf(name: string): Error {
  if (!Object.hasOwn(environmentSchema.shape, name) && !isShownName(name)) return new UnknownSettingError(name);
  return isSecretName(name) ? new SecretSettingError(name) : new StartTimeSettingError(name);
}
