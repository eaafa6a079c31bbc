import type { Client } from 'minio';
import type { Readable } from 'node:stream';
import { errorCode } from '../../errors/error-code';
import { ObjectNotFoundError, type ByteRange, type SignedUrl, type SignedUrlOptions } from '../object-store';
import { S3Bucket, S3_PAGE, type S3Object } from '../s3/s3-bucket';
import { connectS3, type S3Connection } from '../s3/s3-connection';
import { S3Links } from '../s3/s3-links';
import { S3Roles } from '../s3/s3-roles';
import {
  s3Source,
  SourceNotAllowedError,
  SourceNotFoundError,
  SourceOutsideError,
  type S3Place,
} from './source-location';

export interface BucketFile extends S3Object {
  /** Relative to the requested prefix. */
  readonly relativePath: string;
}

interface OwnConnection {
  readonly client: Client;
  readonly links: S3Links;
  readonly roles: S3Roles;
}

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/** Objects in the buckets that the service may read, with its own credentials or with a role. */
export class S3Sources {
  private readonly own: OwnConnection | null;

  constructor(
    private readonly buckets: readonly string[],
    connection: S3Connection | null,
  ) {
    this.own = connection && {
      client: connectS3(connection),
      links: new S3Links(connection),
      roles: new S3Roles(connection),
    };
  }

  get(place: S3Place, range?: ByteRange): Promise<Readable> {
    return this.asked(place, (allowed) => allowed.get(place.key, range));
  }

  async head(place: S3Place): Promise<S3Object> {
    const found = await this.asked(place, (allowed) => allowed.head(place.key));
    if (found === undefined) throw new SourceNotFoundError(`Nothing is at ${named(place)}.`);
    return found;
  }

  /** Signs with the service's own credentials. */
  presign({ bucket, key }: S3Place, options: SignedUrlOptions): SignedUrl {
    this.assertAllowed(bucket);
    return this.connected().links.sign(bucket, key, key, options);
  }

  /** Throws RoleRefusedError. */
  async assumeRole(role: string): Promise<void> {
    await this.connected().roles.assume(role);
  }

  /** Yields all objects below the prefix, which is treated as a folder, or the single object with this key. */
  async *walk(place: S3Place): AsyncGenerator<BucketFile> {
    const prefix = place.key;
    const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
    if (folder !== prefix) {
      const single = await this.asked(place, (allowed) => allowed.head(prefix));
      if (single) yield { ...single, relativePath: prefix.slice(prefix.lastIndexOf('/') + 1) };
    }
    for (let after = ''; ;) {
      const page = await this.asked(place, (allowed) => allowed.page(folder, after, S3_PAGE));
      for (const object of page.objects) {
        const relativePath = object.key.slice(folder.length);
        if (!object.key.endsWith('/') && !isHidden(relativePath)) yield { ...object, relativePath };
      }
      if (page.isLast) return;
      after = page.objects.at(-1)!.key;
    }
  }

  private connected(): OwnConnection {
    if (this.own === null)
      throw new SourceOutsideError('No S3 store is configured (S3_ENDPOINT), so no bucket can be read.');
    return this.own;
  }

  private assertAllowed(bucket: string): void {
    if (this.buckets.includes(bucket)) return;
    throw new SourceOutsideError(
      `The bucket "${bucket}" is not one that this service may read. Add it to MEDIA_BUCKETS.`,
    );
  }

  private async asked<T>(place: S3Place, act: (allowed: S3Bucket) => Promise<T>): Promise<T> {
    const { bucket, role } = place;
    this.assertAllowed(bucket);
    const { client, roles } = this.connected();
    try {
      return await act(new S3Bucket(role === undefined ? client : await roles.clientOf(role), bucket));
    } catch (error) {
      if (error instanceof ObjectNotFoundError) throw new SourceNotFoundError(`Nothing is at ${named(place)}.`);
      if (errorCode(error) === 'NoSuchBucket') throw new SourceNotFoundError(`There is no bucket "${bucket}".`);
      if (errorCode(error) === 'AccessDenied')
        throw new SourceNotAllowedError(
          `The S3 store refuses to let ${role === undefined ? 'this service' : `the role ${role}`} read ${named(place)}.`,
        );
      throw error;
    }
  }
}

const named = ({ bucket, key }: S3Place): string => s3Source({ bucket, key });
