import type { Client } from 'minio';
import type { Readable } from 'node:stream';
import { errorCode } from '../../errors/error-code';
import { S3Calls, withClassifiedErrors } from './s3-outage';
import { ObjectNotFoundError, RangeNotSatisfiableError, type ByteRange } from '../object-store';

export interface S3Object {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly lastModified: Date;
}

export const S3_PAGE = 1000;

const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes(errorCode(error) ?? '');

/** Read operations of one bucket, with complete keys. */
export class S3Bucket {
  constructor(
    readonly client: Client,
    readonly name: string,
    private readonly calls = new S3Calls(),
  ) {}

  async get(key: string, range?: ByteRange): Promise<Readable> {
    if (range !== undefined && range.end < range.start) throw new RangeNotSatisfiableError(key, range);
    const { client, name } = this;
    try {
      return withClassifiedErrors(
        await this.calls.repeat(() =>
          range === undefined
            ? client.getObject(name, key)
            : client.getPartialObject(name, key, range.start, range.end - range.start + 1),
        ),
      );
    } catch (error) {
      if (isMissing(error)) throw new ObjectNotFoundError(key);
      if (range !== undefined && errorCode(error) === 'InvalidRange') throw new RangeNotSatisfiableError(key, range);
      throw error;
    }
  }

  async head(key: string): Promise<S3Object | undefined> {
    try {
      const { size, etag, lastModified } = await this.calls.repeat(() => this.client.statObject(this.name, key));
      return { key, size, etag, lastModified };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** One page of keys, ordered by UTF-8 bytes. */
  async page(prefix: string, after: string, limit: number): Promise<{ objects: S3Object[]; isLast: boolean }> {
    const { objects, isTruncated } = await this.calls.repeat(() =>
      this.client.listObjectsV2Query(this.name, prefix, '', '', limit, after),
    );
    const found = objects.flatMap((object) =>
      object.name === undefined
        ? []
        : [{ key: object.name, size: object.size, etag: object.etag, lastModified: object.lastModified }],
    );
    return { objects: found, isLast: !isTruncated || found.length === 0 };
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.calls.repeat(async () => {
      const failures = (await this.client.removeObjects(this.name, [...keys])) as unknown[];
      const failed = failures.find((failure) => failure !== null && failure !== undefined);
      if (failed === undefined) return;
      const error = new Error(`Objects of s3://${this.name} can't be deleted: ${JSON.stringify(failed)}`);
      throw Object.assign(error, { code: (failed as { readonly Code?: unknown }).Code });
    });
  }
}
