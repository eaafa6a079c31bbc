import { fileURLToPath } from 'node:url';
import { AWAITED_CALLS, type FileCalls } from './folder/file-calls';
import type { OutageLog } from '../outage/reachability';
import { trimEndOf } from '../text/texts';
import { FolderObjectStore } from './folder/folder-object-store';
import type { ObjectStore } from './object-store';
import type { S3Connection } from './s3/s3-connection';
import { S3ObjectStore } from './s3/s3-object-store';
import { MediaSources } from './sources/source-files';
import { UrlSigner } from './links/url-signer';

export interface StorageConfig {
  /** `file:///folder` or `s3://bucket[/prefix]`. */
  readonly storageUrl: string;
  readonly s3: S3Connection | null;
  readonly mediaRoots: readonly string[];
  readonly mediaBuckets: readonly string[];
  readonly secretKey: Uint8Array;
  readonly acceptedSecretKey?: Uint8Array | null;
  readonly baseUrl: string;
}

export interface Storage {
  readonly store: ObjectStore;
  readonly sources: MediaSources;
  readonly signer: UrlSigner;
}

function createStore(
  { storageUrl, s3, baseUrl }: StorageConfig,
  signer: UrlSigner,
  fileCalls: FileCalls,
  outageLog?: OutageLog,
): ObjectStore {
  if (storageUrl.startsWith('file://'))
    return new FolderObjectStore({ root: fileURLToPath(storageUrl), signer, baseUrl }, fileCalls);
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(storageUrl) ?? [];
  if (bucket === undefined)
    throw new Error(`STORAGE_URL=${storageUrl} is not valid: use file:///folder or s3://bucket[/prefix].`);
  if (s3 === null) throw new Error(`STORAGE_URL=${storageUrl} requires the connection settings of its S3 store.`);
  return new S3ObjectStore({ connection: s3, bucket, prefix: trimEndOf(prefix, '/'), outageLog });
}

/** Does not access disk or network until the storage is used. Also called in processes without Nest. */
export function createStorage(config: StorageConfig, fileCalls = AWAITED_CALLS, outageLog?: OutageLog): Storage {
  const accepted = config.acceptedSecretKey ?? null;
  const signer = new UrlSigner(config.secretKey, Date.now, accepted && new UrlSigner(accepted));
  const store = createStore(config, signer, fileCalls, outageLog);
  const { mediaRoots, mediaBuckets, s3, baseUrl } = config;
  const sources = new MediaSources({ mediaRoots, mediaBuckets, s3, baseUrl, store, signer, fileCalls });
  return { store, signer, sources };
}
