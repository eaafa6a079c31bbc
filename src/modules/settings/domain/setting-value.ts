import { runtimeSettings, type RuntimeSettings } from '../../../common/platform/config/runtime-settings.schema';
import { SETTING_DEFINITIONS, type SettingName } from './setting-definition';
import { WrongSettingValueError } from './setting-errors';

export type SettingValue = RuntimeSettings[SettingName];

/** As it is stored and shown: `true`, `720`, `INFO`. */
export const textOf = (value: SettingValue): string => String(value);

/** The value that a text or a JSON value means; throws where it means none of this setting's kind. */
export function parseSettingValue(name: SettingName, given: unknown): SettingValue {
  const text = readText(name, given);
  const parsed = runtimeSettings[name].safeParse(text);
  if (!parsed.success) throw new WrongSettingValueError(name, parsed.error.issues[0]!.message);
  return parsed.data;
}

function readText(name: SettingName, given: unknown): string {
  const { kind } = SETTING_DEFINITIONS[name];
  if (typeof given === kind) return String(given);
  const text = typeof given === 'string' ? given.trim() : '';
  // JSON numbers and booleans of another kind, lists and objects mean nothing; neither does an empty text.
  if (text === '') throw new WrongSettingValueError(name, `must be ${WANTED[kind]}`);
  return kind === 'boolean' ? text.toLowerCase() : kind === 'choice' ? text.toUpperCase() : text;
}

const WANTED = {
  boolean: 'true or false',
  number: 'a number',
  choice: 'a text',
  model: 'the name of a model',
} as const;

export const canonicalName = (given: string): string => given.trim().replaceAll('-', '_').toUpperCase();
