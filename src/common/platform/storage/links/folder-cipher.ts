import { createCipheriv, createDecipheriv, hash, hkdfSync, timingSafeEqual, type Cipheriv } from 'node:crypto';

const KEY_BYTES = 32;
const DIGEST_BYTES = 12;
const BLOCK = 16;
const COUNTER = Buffer.alloc(BLOCK - DIGEST_BYTES);
const KEPT_FOLDERS = 4096;

/**
 * Encrypts folders in URLs with AES-256-CTR. The nonce is a keyed digest of the folder, so a folder always gives the same text and its
 * files cost one encryption.
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

  /** Undefined for a text that this service did not seal. */
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
    const counters = Buffer.alloc(Math.ceil(folder.length / BLOCK) * BLOCK);
    for (let at = 0; at < counters.length; at += BLOCK) {
      digest.copy(counters, at);
      counters.writeUInt32BE(at / BLOCK, at + DIGEST_BYTES);
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
