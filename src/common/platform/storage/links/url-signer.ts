import {
  createHmac,
  timingSafeEqual,
  createCipheriv,
  createDecipheriv,
  hash,
  hkdfSync,
  type Cipheriv,
} from 'node:crypto';
import type { SignedUrlOptions } from '../object-store';

const BLOCK = 64;
const DIGEST = 32;

/** HMAC-SHA256 of short texts with one key: two one-shot hashes take half the time of an Hmac object. */
export class HmacSha256 {
  /** The two key blocks of HMAC, with room for the message. */
  private readonly inner = Buffer.alloc(8192);
  private readonly outer = Buffer.alloc(BLOCK + DIGEST);
  private readonly views: Buffer[] = [];

  /** The key has at most 64 bytes. */
  constructor(key: Uint8Array) {
    if (key.length > BLOCK) throw new RangeError(`The key has ${key.length} bytes, more than ${BLOCK}`);
    for (let i = 0; i < BLOCK; i++) {
      const byte = key[i] ?? 0;
      this.inner[i] = byte ^ 0x36;
      this.outer[i] = byte ^ 0x5c;
    }
  }

  of(text: string, encoding: 'hex' | 'base64url'): string {
    const length = BLOCK + Buffer.byteLength(text);
    const isLong = length > this.inner.length;
    // One view per length is cached, because creating a view takes as long as hashing it.
    const blocks = isLong ? Buffer.alloc(length, this.inner) : (this.views[length] ??= this.inner.subarray(0, length));
    blocks.write(text, BLOCK);
    this.outer.write(hash('sha256', blocks, 'binary'), BLOCK, 'binary');
    return hash('sha256', this.outer, encoding);
  }
}

const KEY_BYTES = 32;
const DIGEST_BYTES = 12;
const CIPHER_BLOCK = 16;
const COUNTER = Buffer.alloc(CIPHER_BLOCK - DIGEST_BYTES);
const KEPT_FOLDERS = 4096;

/**
 * Encrypts folders in URLs with AES-256-CTR. The nonce is a keyed digest of the folder, so equal folders have equal ciphertexts, and each folder is
 * encrypted only once.
 */
export class FolderCipher {
  private readonly encryptionKey: Buffer;
  private readonly digestKey: Buffer;
  /** Encrypts counter blocks with one cipher for all folders: creating a cipher takes ten times as long as using it. */
  private readonly keystream: Cipheriv;
  private readonly sealed = new Map<string, string>();

  constructor(secretKey: Uint8Array) {
    const derive = (use: string): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', use, KEY_BYTES));
    this.encryptionKey = derive('folders in addresses');
    this.digestKey = derive('digest of folders in addresses');
    this.keystream = createCipheriv('aes-256-ecb', this.encryptionKey, null).setAutoPadding(false);
  }

  seal(folder: string): string {
    let sealed = this.sealed.get(folder);
    if (sealed === undefined) {
      sealed = this.encrypt(Buffer.from(folder, 'utf8'));
      if (this.sealed.size >= KEPT_FOLDERS) this.sealed.clear();
      this.sealed.set(folder, sealed);
    }
    return sealed;
  }

  /** Undefined if the text was not sealed by this service. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < DIGEST_BYTES) return undefined;
    const digest = bytes.subarray(0, DIGEST_BYTES);
    const nonce = Buffer.concat([digest, COUNTER]);
    const folder = createDecipheriv('aes-256-ctr', this.encryptionKey, nonce).update(bytes.subarray(DIGEST_BYTES));
    return timingSafeEqual(this.digestOf(folder), digest) ? folder.toString('utf8') : undefined;
  }

  private encrypt(folder: Buffer): string {
    const digest = this.digestOf(folder);
    const counters = Buffer.alloc(Math.ceil(folder.length / CIPHER_BLOCK) * CIPHER_BLOCK);
    for (let at = 0; at < counters.length; at += CIPHER_BLOCK) {
      digest.copy(counters, at);
      counters.writeUInt32BE(at / CIPHER_BLOCK, at + DIGEST_BYTES);
    }
    const stream = this.keystream.update(counters);
    const sealed = Buffer.alloc(DIGEST_BYTES + folder.length);
    digest.copy(sealed);
    for (let at = 0; at < folder.length; at++) sealed[DIGEST_BYTES + at] = folder[at]! ^ stream[at]!;
    return sealed.toString('base64url');
  }

  private digestOf(folder: Buffer): Buffer {
    return hash('sha256', Buffer.concat([this.digestKey, folder]), 'buffer').subarray(0, DIGEST_BYTES);
  }
}

/** The target of a signed URL: a key of the store, an absolute local path, or an object that is read with a role. */
export interface MediaLink {
  readonly kind: 'store' | 'file' | 's3';
  readonly path: string;
}

export type SignatureVerdict = 'valid' | 'expired' | 'wrong';

export const MEDIA_ROUTE = '/api/v1/media';

const SIGNATURE = 'signature';
const EXPIRES = 'expires';

const KEPT_QUERIES = 256;

interface SignedQuery {
  readonly expires: number;
  readonly query: string;
}

/** Signs a path and all its parameters with HMAC-SHA256, so that none can be changed or added. */
export class UrlSigner {
  private readonly hmac: HmacSha256;
  /** By media type. */
  private readonly queries = new Map<string | undefined, SignedQuery>();
  private readonly folders: FolderCipher;

  constructor(
    secretKey: Uint8Array,
    private readonly now: () => number = Date.now,
    /** Verifies URLs that were signed with the accepted key. */
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

  /** The path to be signed. Outside of the store the folder is encrypted, because it would reveal local paths or buckets. */
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

  /** Rounded down, so that repeated requests return the same URLs and browsers can cache them. */
  private expiry(expiresInSeconds: number): number {
    const step = Math.max(1, Math.floor(expiresInSeconds / 4));
    return Math.floor((this.now() / 1000 + expiresInSeconds) / step) * step;
  }

  /** The parameters in the order in which they are signed. Hundreds of URLs on a page share one query. */
  private queryOf({ expiresInSeconds, contentType, downloadName }: SignedUrlOptions): string {
    const expires = this.expiry(expiresInSeconds);
    const kept = this.queries.get(contentType);
    if (kept?.expires === expires && downloadName === undefined) return kept.query;
    const parameters = new URLSearchParams({ [EXPIRES]: String(expires) });
    if (downloadName !== undefined) parameters.set('name', downloadName);
    if (contentType !== undefined) parameters.set('type', contentType);
    const query = parameters.toString();
    if (downloadName !== undefined) return query;
    if (this.queries.size >= KEPT_QUERIES) this.queries.clear();
    this.queries.set(contentType, { expires, query });
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
