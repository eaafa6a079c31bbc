import { environmentSchema } from '../../../common/platform/config/environment.schema';
import { SecretSettingError, StartTimeSettingError, UnknownSettingError } from './setting-errors';

/** May be read but not set: what they say is decided when the service starts. */
const SHOWN_NAMES = ['DISABLE_AUTH', 'AUTH_MODE', 'RUN_MODE', 'SINGLE_WORKSPACE'] as const;

export type ShownName = (typeof SHOWN_NAMES)[number];

export const isShownName = (name: string): name is ShownName => (SHOWN_NAMES as readonly string[]).includes(name);

const isSecretName = (name: string): boolean => /SECRET|PASSWORD|TOKEN|_KEY$|^DATABASE_URL$/.test(name);

/** Why a name that is no setting can't be read or set. */
export function refusalOf(name: string): Error {
  if (!Object.hasOwn(environmentSchema.shape, name) && !isShownName(name)) return new UnknownSettingError(name);
  return isSecretName(name) ? new SecretSettingError(name) : new StartTimeSettingError(name);
}
