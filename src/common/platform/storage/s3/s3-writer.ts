import type { Client } from 'minio';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { errorCode } from '../../errors/error-code';
import { escaped, escapedPath } from '../links/content-headers';
import type { S3Calls } from './s3-outage';
import { ObjectExistsError, StoreFullError } from '../object-store';

const MIB = 1024 * 1024;
const MAX_PART_BYTES = 64 * MIB;
const COPY_PART_BYTES = 512 * MIB;

interface Target {
  readonly key: string;
  readonly contentType: string;
  readonly ifAbsent: boolean;
}

interface Written {
  readonly etag: string;
  readonly size: number;
}

interface Part {
  readonly part: number;
  readonly etag: string;
}

const unquote = (etag: string): string => etag.replace(/^"|"$/g, '');

/** Part sizes grow, so that 10,000 parts can hold half a terabyte while a small body needs little memory. */
const partBytes = (part: number): number => Math.min(MAX_PART_BYTES, 8 * MIB * 2 ** Math.floor(part / 1000));

async function* inParts(body: Readable): AsyncGenerator<Buffer, undefined> {
  let gathered: Buffer[] = [];
  let size = 0;
  let part = 1;
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
    const bytes = Buffer.from(chunk as Uint8Array);
    gathered.push(bytes);
    size += bytes.length;
    if (size >= partBytes(part)) {
      yield Buffer.concat(gathered);
      gathered = [];
      size = 0;
      part++;
    }
  }
  if (size > 0) yield Buffer.concat(gathered);
}

/** Writes objects of any size to one bucket, atomically; buffers at most two parts. */
export class S3Writer {
  constructor(
    private readonly client: Client,
    private readonly bucket: string,
    private readonly calls: S3Calls,
  ) {}

  async put(target: Target, body: Readable | Uint8Array): Promise<Written> {
    return this.translated(target.key, async () => {
      if (!(body instanceof Readable)) return this.putWhole(target, Buffer.from(body));
      const parts = inParts(body);
      try {
        const first = await parts.next();
        if (first.done) return await this.putWhole(target, Buffer.alloc(0));
        const second = await parts.next();
        if (second.done) return await this.putWhole(target, first.value);
        return await this.putParts(target, first.value, second.value, parts);
      } finally {
        await parts.return(undefined);
      }
    });
  }

  /** Objects above `multipartAbove` bytes (5 GiB is the limit of a single copy) are copied part by part. */
  async copy(from: string, size: number, target: Target, multipartAbove: number): Promise<void> {
    const source = escapedPath(`${this.bucket}/${from}`);
    await this.translated(target.key, async () => {
      if (size > multipartAbove) return this.copyParts(source, size, target, Math.min(COPY_PART_BYTES, multipartAbove));
      const headers = {
        'x-amz-copy-source': source,
        'x-amz-metadata-directive': 'REPLACE',
        'content-type': target.contentType,
      };
      await this.requestText({ method: 'PUT', objectName: target.key, headers });
    });
  }

  private async putWhole({ key, contentType, ifAbsent }: Target, body: Buffer): Promise<Written> {
    const headers = { 'content-type': contentType, 'content-length': String(body.length), ...condition(ifAbsent) };
    const options = { method: 'PUT', bucketName: this.bucket, objectName: key, headers };
    const send = () => this.client.makeRequestAsyncOmit(options, body);
    // A repeated conditional write would find the object of the first attempt.
    const response = await (ifAbsent ? this.calls.run(send) : this.calls.repeat(send));
    return { etag: unquote(response.headers.etag ?? ''), size: body.length };
  }

  private async putParts(
    target: Target,
    first: Buffer,
    second: Buffer,
    rest: AsyncGenerator<Buffer>,
  ): Promise<Written> {
    let size = 0;
    const etag = await this.multipart(target, async (uploadID) => {
      const parts: Part[] = [];
      const upload = async (bytes: Buffer) => {
        const headers = { 'content-length': String(bytes.length) };
        const partNumber = parts.length + 1;
        const part = { bucketName: this.bucket, objectName: target.key, uploadID, partNumber, headers };
        const { etag } = await this.calls.repeat(() => this.client.uploadPart(part, bytes));
        parts.push({ part: partNumber, etag });
        size += bytes.length;
      };
      await upload(first);
      await upload(second);
      for await (const bytes of rest) await upload(bytes);
      return parts;
    });
    return { etag, size };
  }

  private async copyParts(source: string, size: number, target: Target, bytesEach: number): Promise<void> {
    await this.multipart(target, async (uploadID) => {
      const parts: Part[] = [];
      for (let start = 0; start < size; start += bytesEach) {
        const end = Math.min(size, start + bytesEach) - 1;
        const headers = { 'x-amz-copy-source': source, 'x-amz-copy-source-range': `bytes=${start}-${end}` };
        const query = `partNumber=${parts.length + 1}&uploadId=${escaped(uploadID)}`;
        const answer = await this.requestText({ method: 'PUT', objectName: target.key, headers, query });
        parts.push({ part: parts.length + 1, etag: etagIn(answer) });
      }
      return parts;
    });
  }

  private async multipart(target: Target, fill: (uploadId: string) => Promise<Part[]>): Promise<string> {
    const { client, bucket } = this;
    const headers = { 'content-type': target.contentType };
    const uploadId = await this.calls.run(() => client.initiateNewMultipartUpload(bucket, target.key, headers));
    try {
      return await this.complete(target, uploadId, await fill(uploadId));
    } catch (error) {
      // The error of the upload is more important; the lifecycle rule of the bucket removes leftover parts.
      await client.abortMultipartUpload(bucket, target.key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  private async complete({ key, ifAbsent }: Target, uploadId: string, parts: readonly Part[]): Promise<string> {
    const list = parts
      .map(({ part, etag }) => `<Part><PartNumber>${part}</PartNumber><ETag>"${etag}"</ETag></Part>`)
      .join('');
    const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list}</CompleteMultipartUpload>`;
    const query = `uploadId=${escaped(uploadId)}`;
    return etagIn(
      await this.requestText({ method: 'POST', objectName: key, query, headers: condition(ifAbsent) }, body),
    );
  }

  /** S3 may respond with 200 and an error in the body. */
  private async requestText(
    options: { method: string; objectName: string; headers: Record<string, string>; query?: string },
    payload = '',
  ): Promise<string> {
    return await this.calls.run(async () => {
      const answer = await text(await this.client.makeRequestAsync({ ...options, bucketName: this.bucket }, payload));
      if (!answer.includes('<Error>')) return answer;
      const code = /<Code>([^<]*)<\/Code>/.exec(answer)?.[1] ?? 'UnknownError';
      throw Object.assign(new Error(/<Message>([^<]*)<\/Message>/.exec(answer)?.[1] ?? code), { code });
    });
  }

  private async translated<T>(key: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (code === 'PreconditionFailed') throw new ObjectExistsError(key);
      if (code === 'XMinioStorageFull' || code === 'InsufficientStorage' || code.endsWith('QuotaExceeded')) {
        throw new StoreFullError(`s3://${this.bucket}`, { cause: error });
      }
      throw error;
    }
  }
}

const condition = (ifAbsent: boolean): Record<string, string> => (ifAbsent ? { 'if-none-match': '*' } : {});

function etagIn(answer: string): string {
  const etag = /<ETag>([^<]*)<\/ETag>/.exec(answer)?.[1];
  if (etag === undefined) throw new Error('The S3 store answered a multipart request without an ETag');
  return unquote(etag.replace(/&(quot|#34);/g, '"'));
}
