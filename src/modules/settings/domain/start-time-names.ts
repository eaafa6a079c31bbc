import { environmentSchema } from '../../../common/platform/config/environment.schema';
import { SecretSettingError, StartTimeSettingError, UnknownSettingError } from './setting-errors';

/** Readable but not settable: they are fixed at startup. */
const SHOWN_NAMES = ['DISABLE_AUTH', 'AUTH_MODE', 'RUN_MODE', 'SINGLE_WORKSPACE'] as const;

export type ShownName = (typeof SHOWN_NAMES)[number];

export const isShownName = (name: string): name is ShownName => (SHOWN_NAMES as readonly string[]).includes(name);

const isSecretName = (name: string): boolean => /SECRET|PASSWORD|TOKEN|_KEY$|^DATABASE_URL$/.test(name);

/** The error for a name that is not a setting. */
export function refusalOf(name: string): Error {
  if (!Object.hasOwn(environmentSchema.shape, name) && !isShownName(name)) return new UnknownSettingError(name);
  return isSecretName(name) ? new SecretSettingError(name) : new StartTimeSettingError(name);
}
