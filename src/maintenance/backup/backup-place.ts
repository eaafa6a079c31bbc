import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../../common/platform/config/configuration-error';
import type { Configuration } from '../../common/platform/config/configuration';
import { createStorage } from '../../common/platform/storage/create-storage';
import type { ObjectStore } from '../../common/platform/storage/object-store';

/** The place of backups: a folder, or a prefix of a bucket in the S3 store of S3_ENDPOINT and its keys. */
export function backupPlace(place: string, configuration: Configuration): ObjectStore {
  const isBucket = place.startsWith('s3://');
  if (isBucket && configuration.s3 === null)
    throw new ConfigurationError(`${place} requires S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY.`);
  const url = isBucket ? place : place.startsWith('file://') ? place : pathToFileURL(resolve(place)).href;
  const below = (text: string): string => (text.endsWith('/') ? text : `${text}/`);
  if (below(url).startsWith(below(configuration.storageUrl)))
    throw new ConfigurationError(`${place} lies in the store ${configuration.storageUrl}: choose another place.`);
  return createStorage({ ...configuration, storageUrl: url }).store;
}
