import type { InstallationKeys } from '../config/sealer';
import { secretKeyDigest } from '../config/secret-key';
import { StartError } from '../config/start-error';
import type { InstallationRepository } from './persistence/installation.repository';

export class WrongSecretKeyError extends StartError {}

/** The key of the first start belongs to the installation until it is rotated. */
export async function assertSecretKey(
  installations: InstallationRepository,
  { secretKey, acceptedSecretKey }: InstallationKeys,
): Promise<void> {
  await installations.ensure();
  const kept = await installations.keepSecretKeyDigest(secretKeyDigest(secretKey));
  const known = [secretKey, ...(acceptedSecretKey === null ? [] : [acceptedSecretKey])];
  if (!known.some((key) => secretKeyDigest(key) === kept))
    throw new WrongSecretKeyError(
      "SECRET_KEY is not the key of this installation. Use the same key for all processes (where it is not set, each DATA_DIR has its own in secret.key), or run npm run rotate-secret-key to replace the installation's key.",
    );
}
