import '../common/platform/config/no-telemetry';
import 'reflect-metadata';
import { StartError } from '../common/platform/config/configuration-error';
import { adoptStore } from '../maintenance/store-adoption';

adoptStore()
  .then(({ storageUrl, installation, before }) => {
    if (before === installation) {
      console.log(`The store ${storageUrl} belongs to this installation (${installation}) already.`);
      return;
    }
    const was = before === undefined ? 'It had no mark before' : `Its mark was ${before} before`;
    console.log(`The store ${storageUrl} now belongs to this installation (${installation}). ${was}.`);
    console.log('Once the service runs, media that the database does not know are removed from it after a day.');
  })
  .catch((error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  });
