import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { StartError } from '../common/platform/config/configuration-error';
import { rotateSecretKey } from '../maintenance/secret-key-rotation';

rotateSecretKey()
  .then(({ resealed, keptKeyReplaced }) => {
    console.log(`${resealed} secrets were resealed with the new key.`);
    console.log(keptKeyReplaced ? 'The key in DATA_DIR was replaced.' : 'Start the service with the new SECRET_KEY.');
  })
  .catch((error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  });
