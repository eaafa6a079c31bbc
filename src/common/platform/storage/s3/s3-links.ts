import { createHmac, hash } from 'node:crypto';
import type { Client } from 'minio';
import {
  contentDisposition,
  escaped,
  escapedPath,
  contentTypeOf,
  isSafeInline,
  UNKNOWN_CONTENT_TYPE,
} from '../links/content-headers';
import { HmacSha256 } from '../links/url-signer';
import type { SignedUrl, SignedUrlOptions } from '../object-store';
import { connectPublicS3, type S3Connection } from './s3-connection';

/**
 * Keeps the values used last: at least half of `most` and at most `most`. For many small values, where an LRU map that deletes its oldest entry each
 * time is slow, because it must skip all deleted entries to find the next one.
 */
export class RecentlyUsed<V> {
  private recent = new Map<string, V>();
  private before = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(key: string): V | undefined {
    const value = this.recent.get(key);
    if (value !== undefined) return value;
    const older = this.before.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (this.recent.size * 2 >= this.most && !this.recent.has(key)) {
      this.before = this.recent;
      this.recent = new Map();
    }
    this.recent.set(key, value);
  }
}

const MAX_SECONDS = 7 * 24 * 3600;
const KEPT_TEMPLATES = 256;
/** The pages of a dataset mostly show the same media again. */
const KEPT_LINKS = 40_000;
/** Any name, because it is not in the common part of links. */
const PROBE = 'probe';

interface Linked {
  readonly key: string;
  readonly name: string;
  readonly options: SignedUrlOptions;
}

/** The common parts of the links to objects of one bucket that have the same signing time. */
interface Template {
  /** For example `https://store.example.com:9000`. */
  readonly origin: string;
  readonly host: string;
  /** The part of the path before the key. */
  readonly path: string;
  /** The query of the link, and the query as it is signed. */
  readonly query: string;
  readonly sortedQuery: string;
  /** The signed text before the hash of the request. */
  readonly head: string;
  readonly hmac: HmacSha256;
}

/**
 * Signs links to objects with the keys of the connection. The client takes a tenth of a millisecond per link, and a page has 1,800 links, so the
 * client is only called for their common parts; the results are the same.
 */
export class S3Links {
  private readonly client: Client;
  /** A promise while the template is being read. */
  private readonly templates = new Map<string, Template | Promise<Template>>();
  private readonly links = new RecentlyUsed<string>(KEPT_LINKS);

  constructor(
    private readonly connection: S3Connection,
    private readonly now: () => number = Date.now,
  ) {
    this.client = connectPublicS3(connection);
  }

  /**
   * The signing date, from which the lifetime counts, is rounded down, so that repeated requests return the same links and browsers can cache them.
   * `name` is the name of the saved file.
   */
  sign(bucket: string, key: string, name: string, options: SignedUrlOptions): SignedUrl {
    const step = Math.max(1, Math.floor(options.expiresInSeconds / 4));
    const signedAt = Math.floor(this.now() / 1000 / step) * step;
    const seconds = Math.min(MAX_SECONDS, options.expiresInSeconds);
    const common = `${bucket} ${signedAt} ${seconds}`;
    const template = this.templates.get(common) ?? this.newTemplate(common, bucket, signedAt, seconds);
    const linked = { key, name, options };
    return template instanceof Promise
      ? template.then((read) => this.linkTo(linked, common, read))
      : this.linkTo(linked, common, template);
  }

  private linkTo(linked: Linked, common: string, template: Template): string {
    const { key, name, options } = linked;
    const whole = `${common} ${options.contentType ?? ''} ${options.downloadName ?? ''}\n${name}\n${key}`;
    let link = this.links.get(whole);
    if (link === undefined) {
      link = signed(linked, template);
      this.links.set(whole, link);
    }
    return link;
  }

  private newTemplate(common: string, bucket: string, signedAt: number, seconds: number): Promise<Template> {
    if (this.templates.size >= KEPT_TEMPLATES) this.templates.clear();
    const reading = this.readTemplate(bucket, new Date(signedAt * 1000), seconds);
    this.templates.set(common, reading);
    reading.then(
      (template) => this.templates.set(common, template),
      () => this.templates.delete(common),
    );
    return reading;
  }

  private async readTemplate(bucket: string, signedAt: Date, seconds: number): Promise<Template> {
    const link = await this.client.presignedGetObject(bucket, PROBE, seconds, {}, signedAt);
    const [place, parameters] = link.split('?') as [string, string];
    const query = parameters.slice(0, parameters.lastIndexOf('&X-Amz-Signature='));
    const host = place.indexOf('//') + 2;
    const path = place.indexOf('/', host);
    const named = new URLSearchParams(query);
    const scope = named.get('X-Amz-Credential')!.split('/').slice(-4);
    return {
      origin: place.slice(0, path),
      host: place.slice(host, path),
      path: place.slice(path, -PROBE.length),
      query,
      sortedQuery: query.split('&').sort().join('&'),
      head: `AWS4-HMAC-SHA256\n${named.get('X-Amz-Date')}\n${scope.join('/')}\n`,
      hmac: new HmacSha256(scope.reduce<Uint8Array>(keyed, Buffer.from(`AWS4${this.connection.secretKey}`))),
    };
  }
}

function signed({ key, name, options }: Linked, template: Template): string {
  const { origin, host, path, query, sortedQuery, head, hmac } = template;
  const type = options.contentType ?? contentTypeOf(name) ?? UNKNOWN_CONTENT_TYPE;
  const isDownload = options.downloadName !== undefined || !isSafeInline(type);
  const fileName = options.downloadName ?? name.slice(name.lastIndexOf('/') + 1);
  const disposition = escaped(contentDisposition(isDownload ? 'attachment' : 'inline', fileName));
  const own = `response-content-disposition=${disposition}&response-content-type=${escaped(type)}`;
  const target = `${path}${escapedPath(key)}`;
  const request = `GET\n${target}\n${sortedQuery}&${own}\nhost:${host}\n\nhost\nUNSIGNED-PAYLOAD`;
  const signature = hmac.of(`${head}${hash('sha256', request, 'hex')}`, 'hex');
  return `${origin}${target}?${own}&${query}&X-Amz-Signature=${signature}`;
}

const keyed = (key: Uint8Array, part: string): Uint8Array => createHmac('sha256', key).update(part).digest();
