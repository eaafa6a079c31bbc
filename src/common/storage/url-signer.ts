import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { SignedUrlOptions } from './object-store';

/** What a signed URL of the program itself leads to: a key of the store, or an absolute path of this machine. */
export interface MediaLink {
  readonly kind: 'store' | 'file';
  readonly path: string;
}

export type SignatureVerdict = 'valid' | 'expired' | 'wrong';
export type LinkParameters = Readonly<Record<string, string>>;

export const MEDIA_ROUTE = '/api/v1/media';

const SIGNATURE = 'signature';
const EXPIRES = 'expires';

/** Signs a path and its parameters by HMAC-SHA256; every parameter counts, so none can be changed or added. */
export class UrlSigner {
  /** As a key object: raw bytes are made into one at every signature, which takes longer than signing. */
  private readonly key: KeyObject;

  constructor(
    secretKey: Uint8Array,
    private readonly now: () => number = Date.now,
  ) {
    // A key of its own, so that no signature of another purpose passes here.
    this.key = createSecretKey(createHmac('sha256', secretKey).update('signed-url').digest());
  }

  sign(path: string, expiresInSeconds: number, parameters: LinkParameters = {}): URLSearchParams {
    const query = new URLSearchParams({ ...parameters, [EXPIRES]: String(this.expiry(expiresInSeconds)) });
    query.set(SIGNATURE, this.signatureOf(path, query).toString('base64url'));
    return query;
  }

  verify(path: string, query: URLSearchParams): SignatureVerdict {
    const given = Buffer.from(query.get(SIGNATURE) ?? '', 'base64url');
    const signed = new URLSearchParams(query);
    signed.delete(SIGNATURE);
    const right = this.signatureOf(path, signed);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong';
    return this.secondsLeft(query) > 0 ? 'valid' : 'expired';
  }

  secondsLeft(query: URLSearchParams): number {
    return Math.floor(Number(query.get(EXPIRES)) - this.now() / 1000);
  }

  /** Rounded up, so that a page asked for twice names the same URLs and the browser's cache serves them. */
  private expiry(expiresInSeconds: number): number {
    const step = Math.max(1, Math.floor(expiresInSeconds / 4));
    return Math.ceil((this.now() / 1000 + expiresInSeconds) / step) * step;
  }

  private signatureOf(path: string, query: URLSearchParams): Buffer {
    const sorted = new URLSearchParams(query);
    sorted.sort();
    return createHmac('sha256', this.key).update(`${path}\n${sorted.toString()}`).digest();
  }
}

/** The path that a signature covers, before any percent-encoding. */
export const signedPath = ({ kind, path }: MediaLink): string => `${kind}/${path.replace(/^\//, '')}`;

export function signedMediaUrl(signer: UrlSigner, baseUrl: string, link: MediaLink, options: SignedUrlOptions): string {
  const path = signedPath(link);
  const query = signer.sign(path, options.expiresInSeconds, {
    ...(options.contentType === undefined ? {} : { type: options.contentType }),
    ...(options.downloadName === undefined ? {} : { name: options.downloadName }),
  });
  return `${baseUrl}${MEDIA_ROUTE}/${path.split('/').map(encodeURIComponent).join('/')}?${query.toString()}`;
}
