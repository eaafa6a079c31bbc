import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { outageOf } from '../../outage/outage';
import { Reachability, type OutageLog } from '../../outage/reachability';
import { contentTypeOf, UNKNOWN_CONTENT_TYPE } from '../links/content-headers';
import { errorCode, errorMessage } from '../../errors/error-code';
import { assertKeyPrefix, assertObjectKey } from '../object-key';
import {
  InvalidKeyError,
  ObjectExistsError,
  ObjectNotFoundError,
  StoreFullError,
  StoreUnusableError,
  type ByteRange,
  type LanceLocation,
  type ObjectPage,
  type ObjectStore,
  type SignedUrl,
  type SignedUrlOptions,
  type StoredObject,
} from '../object-store';
import { S3Bucket, S3_PAGE, type S3Object } from './s3-bucket';
import { connectS3, type S3Connection } from './s3-connection';
import { S3Links } from './s3-links';
import { S3Calls } from './s3-outage';
import { S3Writer } from './s3-writer';

export interface S3StoreOptions {
  readonly connection: S3Connection;
  readonly bucket: string;
  /** Without leading and trailing slashes; empty for the whole bucket. */
  readonly prefix: string;
  /** Objects larger than this are copied in parts. */
  readonly multipartCopyAbove?: number;
  readonly outageLog?: OutageLog | undefined;
}

const GIB = 1024 ** 3;
const REFUSALS = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'Forbidden'];

/** Objects in a bucket of any S3 store with conditional writes. */
export class S3ObjectStore implements ObjectStore {
  private readonly bucket: S3Bucket;
  private readonly links: S3Links;
  private readonly writer: S3Writer;
  private readonly base: string;
  private readonly reachability: Reachability;

  constructor(private readonly options: S3StoreOptions) {
    const client = connectS3(options.connection);
    const probing = new S3Bucket(client, options.bucket);
    const probe = (): Promise<unknown> =>
      probing.page(this.base, '', 1).catch((error: unknown) => {
        // A response of any kind, even a refusal, means that the store is reachable.
        if (outageOf(error) !== undefined) throw error;
      });
    this.reachability = new Reachability(
      `The object store at ${options.connection.endpoint}`,
      probe,
      options.outageLog,
    );
    const calls = new S3Calls(this.reachability);
    this.bucket = new S3Bucket(client, options.bucket, calls);
    this.links = new S3Links(options.connection);
    this.writer = new S3Writer(client, options.bucket, calls);
    this.base = options.prefix === '' ? '' : `${options.prefix}/`;
  }

  async put(key: string, body: Readable | Uint8Array, options: { ifAbsent?: boolean } = {}): Promise<StoredObject> {
    const written = await this.writer.put(this.target(key, options.ifAbsent ?? false), body);
    return { key, ...written, lastModified: new Date(), contentType: contentTypeOf(key) };
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    return this.bucket.get(this.wholeKey(key), range);
  }

  async read(key: string, range?: ByteRange): Promise<Buffer> {
    return buffer(await this.get(key, range));
  }

  async head(key: string): Promise<StoredObject | undefined> {
    const found = await this.bucket.head(this.wholeKey(key));
    return found && this.describe(found);
  }

  async list(prefix: string, options: { after?: string; limit?: number } = {}): Promise<ObjectPage> {
    assertKeyPrefix(prefix);
    const limit = options.limit ?? S3_PAGE;
    const objects: StoredObject[] = [];
    let after = options.after === undefined ? '' : this.base + options.after;
    for (;;) {
      const page = await this.bucket.page(this.base + prefix, after, Math.min(S3_PAGE, limit - objects.length));
      objects.push(...page.objects.map((object) => this.describe(object)));
      if (page.isLast) return { objects };
      if (objects.length >= limit) return { objects, next: objects.at(-1)!.key };
      after = page.objects.at(-1)!.key;
    }
  }

  async copy(from: string, to: string): Promise<void> {
    const found = await this.head(from);
    if (found === undefined) throw new ObjectNotFoundError(from);
    const limit = this.options.multipartCopyAbove ?? 5 * GIB;
    await this.writer.copy(this.wholeKey(from), found.size, this.target(to, false), limit);
  }

  async delete(keys: readonly string[]): Promise<void> {
    await this.remove(keys.map((key) => this.wholeKey(key)));
  }

  async deletePrefix(prefix: string): Promise<void> {
    if (prefix === '') throw new InvalidKeyError(prefix, 'would delete the whole store');
    assertKeyPrefix(prefix);
    for (let after = ''; ;) {
      const page = await this.bucket.page(this.base + prefix, after, S3_PAGE);
      await this.remove(page.objects.map(({ key }) => key));
      if (page.isLast) return;
      after = page.objects.at(-1)!.key;
    }
  }

  /** Parts of an incomplete upload are not objects; the lifecycle rule of the bucket removes them. */
  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }

  signedUrl(key: string, options: SignedUrlOptions): SignedUrl {
    return this.links.sign(this.options.bucket, this.wholeKey(key), key, options);
  }

  lanceLocation(prefix: string): LanceLocation {
    assertKeyPrefix(prefix);
    const { endpoint, region, accessKey, secretKey } = this.options.connection;
    return {
      uri: `s3://${this.options.bucket}/${this.base}${prefix}`.replace(/\/$/, ''),
      reachability: this.reachability,
      storageOptions: {
        endpoint,
        region,
        access_key_id: accessKey,
        secret_access_key: secretKey,
        conditional_put: 'etag',
        ...(endpoint.startsWith('http:') ? { allow_http: 'true' } : {}),
      },
    };
  }

  localPath(): undefined {
    return undefined;
  }

  async check(): Promise<void> {
    const probe = `.probe/${randomUUID()}`;
    const where = `The S3 store at ${this.options.connection.endpoint}`;
    try {
      await this.put(probe, Buffer.from('first'), { ifAbsent: true });
      const second = await this.put(probe, Buffer.from('second'), { ifAbsent: true }).catch((error: unknown) => error);
      await this.delete([probe]);
      if (second instanceof ObjectExistsError) return;
    } catch (error) {
      throw this.unusable(where, error);
    }
    throw new StoreUnusableError(
      `${where} ignores If-None-Match on writes, so two writers could lose each other's work: use a store with conditional writes.`,
    );
  }

  private unusable(where: string, error: unknown): Error {
    if (error instanceof StoreFullError) return error;
    const code = errorCode(error) ?? '';
    const { bucket } = this.options;
    const sentence =
      code === 'NoSuchBucket'
        ? `${where} has no bucket "${bucket}". Create it first.`
        : REFUSALS.includes(code)
          ? `${where} refuses the access key for the bucket ${bucket} (${code}).`
          : `${where} can't be used: ${errorMessage(error) || code}.`;
    return new StoreUnusableError(sentence, { cause: error });
  }

  private async remove(wholeKeys: string[]): Promise<void> {
    if (wholeKeys.length > 0) await this.bucket.remove(wholeKeys);
  }

  private wholeKey(key: string): string {
    assertObjectKey(key);
    return this.base + key;
  }

  private target(key: string, ifAbsent: boolean) {
    return { key: this.wholeKey(key), contentType: contentTypeOf(key) ?? UNKNOWN_CONTENT_TYPE, ifAbsent };
  }

  private describe(object: S3Object): StoredObject {
    const key = object.key.slice(this.base.length);
    return { ...object, key, contentType: contentTypeOf(key) };
  }
}
