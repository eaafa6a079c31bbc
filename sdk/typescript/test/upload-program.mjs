import { MediaService } from 'dataset-media-service-sdk';
import { uploadFolder } from 'dataset-media-service-sdk/node';

const [url, folder, journal] = process.argv.slice(2);
await uploadFolder(new MediaService({ url }), folder, { dataset: 'interrupted', journal });
