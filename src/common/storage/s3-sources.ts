import type { Client } from 'minio';
import type { Readable } from 'node:stream';
import { errorCode } from './error-code';
import { ObjectNotFoundError, type ByteRange, type SignedUrlOptions } from './object-store';
import { S3Bucket, S3_PAGE, type S3Object } from './s3-bucket';
import { connectS3, type S3Connection } from './s3-connection';
import { s3Source, SourceNotAllowedError, SourceNotFoundError } from './source-location';

export interface BucketFile extends S3Object {
  /** Below the prefix that was asked for. */
  readonly relativePath: string;
}

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/** The objects of the buckets that the service may read. */
export class S3Sources {
  private readonly client: Client | null;

  constructor(
    private readonly buckets: readonly string[],
    connection: S3Connection | null,
  ) {
    this.client = connection && connectS3(connection);
  }

  get(bucket: string, key: string, range?: ByteRange): Promise<Readable> {
    return this.asked(bucket, key, (allowed) => allowed.get(key, range));
  }

  async head(bucket: string, key: string): Promise<S3Object> {
    const found = await this.asked(bucket, key, (allowed) => allowed.head(key));
    if (found === undefined) throw new SourceNotFoundError(`Nothing is at ${s3Source(bucket, key)}.`);
    return found;
  }

  presign(bucket: string, key: string, options: SignedUrlOptions): Promise<string> {
    return this.asked(bucket, key, (allowed) => allowed.presign(key, key, options));
  }

  /** Every object below the prefix taken as a folder, or the one object that has it as its key. */
  async *walk(bucket: string, prefix: string): AsyncGenerator<BucketFile> {
    const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
    if (folder !== prefix) {
      const single = await this.asked(bucket, prefix, (allowed) => allowed.head(prefix));
      if (single) yield { ...single, relativePath: prefix.slice(prefix.lastIndexOf('/') + 1) };
    }
    for (let after = ''; ;) {
      const page = await this.asked(bucket, prefix, (allowed) => allowed.page(folder, after, S3_PAGE));
      for (const object of page.objects) {
        const relativePath = object.key.slice(folder.length);
        if (!object.key.endsWith('/') && !isHidden(relativePath)) yield { ...object, relativePath };
      }
      if (page.isLast) return;
      after = page.objects.at(-1)!.key;
    }
  }

  private async asked<T>(bucket: string, key: string, act: (allowed: S3Bucket) => Promise<T>): Promise<T> {
    if (!this.buckets.includes(bucket)) {
      throw new SourceNotAllowedError(`The bucket ${bucket} is not one that this service may read (MEDIA_BUCKETS).`);
    }
    if (this.client === null)
      throw new SourceNotAllowedError('No S3 store is configured (S3_ENDPOINT), so no bucket can be read.');
    try {
      return await act(new S3Bucket(this.client, bucket));
    } catch (error) {
      const at = s3Source(bucket, key);
      if (error instanceof ObjectNotFoundError) throw new SourceNotFoundError(`Nothing is at ${at}.`);
      if (errorCode(error) === 'NoSuchBucket') throw new SourceNotFoundError(`There is no bucket ${bucket}.`);
      if (errorCode(error) === 'AccessDenied')
        throw new SourceNotAllowedError(`The S3 store refuses to let this service read ${at}.`);
      throw error;
    }
  }
}
