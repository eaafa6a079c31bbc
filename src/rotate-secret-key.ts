import './common/config/no-telemetry';
import 'reflect-metadata';
import { ConfigurationError } from './common/config/configuration-error';
import { DataFolderInUseError } from './common/database/data-folder-lock';
import { UnopenedSecretError } from './common/database/sealed-columns';
import { rotateSecretKey } from './secret-key-rotation';

const EXPECTED = [ConfigurationError, DataFolderInUseError, UnopenedSecretError];

rotateSecretKey()
  .then(({ resealed, keptKeyReplaced }) => {
    console.log(`${resealed} secrets were sealed anew.`);
    console.log(keptKeyReplaced ? 'The key in DATA_DIR was replaced.' : 'Start the service with the new SECRET_KEY.');
  })
  .catch((error: unknown) => {
    const expected = EXPECTED.some((kind) => error instanceof kind);
    console.error(expected ? (error as Error).message : error);
    process.exitCode = 1;
  });
