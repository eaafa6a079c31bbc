import { runtimeSettings, type RuntimeSettings } from '../../../common/platform/config/runtime-settings.schema';
import { settingKind, type SettingName } from './setting-definition';
import { InvalidSettingValueError } from './setting-errors';

export type SettingValue = RuntimeSettings[SettingName];

/** The text form, as stored and shown: `true`, `720`, `INFO`. */
export const textOf = (value: SettingValue): string => String(value);

/** Parses a text or a JSON value; throws if it is not valid for the setting. */
export function parseSettingValue(name: SettingName, given: unknown): SettingValue {
  const text = readText(name, given);
  const parsed = runtimeSettings[name].safeParse(text);
  if (!parsed.success) throw new InvalidSettingValueError(name, parsed.error.issues[0]!.message);
  return parsed.data;
}

function readText(name: SettingName, given: unknown): string {
  const kind = settingKind(name);
  if (typeof given === kind) return String(given);
  const text = typeof given === 'string' ? given.trim() : '';
  // Other JSON types, and empty text, are not valid.
  if (text === '') throw new InvalidSettingValueError(name, `must be ${EXPECTED[kind]}`);
  return kind === 'boolean' ? text.toLowerCase() : kind === 'choice' ? text.toUpperCase() : text;
}

const EXPECTED = {
  boolean: 'true or false',
  number: 'a number',
  choice: 'a text',
  model: 'the name of a model',
} as const;

export const canonicalName = (given: string): string => given.trim().replaceAll('-', '_').toUpperCase();
