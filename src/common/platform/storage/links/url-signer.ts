import { createHmac, timingSafeEqual } from 'node:crypto';
import { FolderCipher } from './folder-cipher';
import { HmacSha256 } from './hmac-sha256';
import type { SignedUrlOptions } from '../object-store';

/** The target of a signed URL: a key of the store, an absolute local path, or an object read with a role. */
export interface MediaLink {
  readonly kind: 'store' | 'file' | 's3';
  readonly path: string;
}

export type SignatureVerdict = 'valid' | 'expired' | 'wrong';

export const MEDIA_ROUTE = '/api/v1/media';

const SIGNATURE = 'signature';
const EXPIRES = 'expires';

const KEPT_QUERIES = 256;

/** Signs a path and all its parameters with HMAC-SHA256, so that none can be changed or added. */
export class UrlSigner {
  private readonly hmac: HmacSha256;
  private readonly queries = new Map<string, string>();
  private readonly folders: FolderCipher;

  constructor(
    secretKey: Uint8Array,
    private readonly now: () => number = Date.now,
    /** Verifies URLs that this one did not sign. */
    private readonly other: UrlSigner | null = null,
  ) {
    this.folders = new FolderCipher(secretKey);
    // A derived key, so that signatures for other purposes are not valid here.
    this.hmac = new HmacSha256(createHmac('sha256', secretKey).update('signed-url').digest());
  }

  /** Returns the query of the signed URL. */
  sign(path: string, options: SignedUrlOptions): string {
    const query = this.queryOf(options);
    return `${query}&${SIGNATURE}=${this.signatureOf(path, query)}`;
  }

  verify(path: string, query: URLSearchParams): SignatureVerdict {
    const verdict = this.verifyOwn(path, query);
    return verdict === 'wrong' && this.other !== null ? this.other.verify(path, query) : verdict;
  }

  private verifyOwn(path: string, query: URLSearchParams): SignatureVerdict {
    const signed = new URLSearchParams(query);
    signed.delete(SIGNATURE);
    signed.sort();
    const given = Buffer.from(query.get(SIGNATURE) ?? '');
    const right = Buffer.from(this.signatureOf(path, signed.toString()));
    if (given.length !== right.length || !timingSafeEqual(given, right)) return 'wrong';
    return this.secondsLeft(query) > 0 ? 'valid' : 'expired';
  }

  secondsLeft(query: URLSearchParams): number {
    return Math.floor(Number(query.get(EXPIRES)) - this.now() / 1000);
  }

  /** The path as signed. Outside of the store the folder is encrypted, because it reveals local paths or buckets. */
  pathOf({ kind, path }: MediaLink): string {
    if (kind === 'store') return `${kind}/${path}`;
    const slash = path.lastIndexOf('/');
    return `${kind}/${this.folders.seal(path.slice(0, slash + 1))}/${path.slice(slash + 1)}`;
  }

  /** The target of a URL with a valid signature; undefined if it is malformed. */
  linkOf(kind: string, path: string): MediaLink | undefined {
    if (kind === 'store') return { kind, path };
    if (kind !== 'file' && kind !== 's3') return undefined;
    const slash = path.indexOf('/');
    const folder = slash === -1 ? undefined : this.openFolder(path.slice(0, slash));
    return folder === undefined ? undefined : { kind, path: `${folder}${path.slice(slash + 1)}` };
  }

  private openFolder(sealed: string): string | undefined {
    return this.folders.open(sealed) ?? this.other?.openFolder(sealed);
  }

  /** Rounded down, so that repeated requests give the same URLs and browsers can cache them. */
  private expiry(expiresInSeconds: number): number {
    const step = Math.max(1, Math.floor(expiresInSeconds / 4));
    return Math.floor((this.now() / 1000 + expiresInSeconds) / step) * step;
  }

  /** In the order in which they are signed. Hundreds of URLs on a page share one query. */
  private queryOf({ expiresInSeconds, contentType, downloadName }: SignedUrlOptions): string {
    const expires = this.expiry(expiresInSeconds);
    const key = `${expires}\n${contentType ?? ''}${downloadName === undefined ? '' : `\n${downloadName}`}`;
    let query = this.queries.get(key);
    if (query === undefined) {
      const parameters = new URLSearchParams({ [EXPIRES]: String(expires) });
      if (downloadName !== undefined) parameters.set('name', downloadName);
      if (contentType !== undefined) parameters.set('type', contentType);
      query = parameters.toString();
      if (this.queries.size >= KEPT_QUERIES) this.queries.clear();
      this.queries.set(key, query);
    }
    return query;
  }

  private signatureOf(path: string, query: string): string {
    return this.hmac.of(`${path}\n${query}`, 'base64url');
  }
}

const PLAIN = /^[\w./-]*$/;

export function signedMediaUrl(signer: UrlSigner, baseUrl: string, link: MediaLink, options: SignedUrlOptions): string {
  const path = signer.pathOf(link);
  const encoded = PLAIN.test(path) ? path : path.split('/').map(encodeURIComponent).join('/');
  return `${baseUrl}${MEDIA_ROUTE}/${encoded}?${signer.sign(path, options)}`;
}
