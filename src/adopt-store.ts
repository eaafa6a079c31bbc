import './common/platform/config/no-telemetry';
import 'reflect-metadata';
import { StartError } from './common/platform/config/start-error';
import { adoptStore } from './store-adoption';

adoptStore()
  .then(({ storageUrl, installation, before }) => {
    if (before === installation) {
      console.log(`The store ${storageUrl} belongs to this installation (${installation}) already.`);
      return;
    }
    const was = before === undefined ? 'It carried no mark before' : `Its mark was ${before} before`;
    console.log(`The store ${storageUrl} belongs to this installation (${installation}) now. ${was}.`);
    console.log('What the database does not know is removed from it a day from now, once the service runs.');
  })
  .catch((error: unknown) => {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  });
