import { secretKeyDigest } from '../config/secret-key';
import { StartError } from '../config/start-error';
import type { InstallationRepository } from './persistence/installation.repository';

export class WrongSecretKeyError extends StartError {}

/** The first start's key is the installation's until a rotation replaces it. */
export async function assertSecretKey(installations: InstallationRepository, secretKey: Uint8Array): Promise<void> {
  await installations.ensure();
  const digest = secretKeyDigest(secretKey);
  if ((await installations.keepSecretKeyDigest(digest)) !== digest)
    throw new WrongSecretKeyError(
      "SECRET_KEY is not the key of this installation: give every process the same one (where it is not set, each DATA_DIR has its own in secret.key). npm run rotate-secret-key replaces the installation's key.",
    );
}
