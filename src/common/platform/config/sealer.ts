import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const TAG_AT = 1 + IV_BYTES;
const TEXT_AT = TAG_AT + TAG_BYTES;

/** The keys of an installation. During a rotation, processes with the old key and processes with the new key run at the same time. */
export interface InstallationKeys {
  readonly secretKey: Uint8Array;
  /** A second key, whose sealed texts can be opened too. */
  readonly acceptedSecretKey: Uint8Array | null;
}

/** Encrypts texts stored in the database. Each is bound to the row that owns it and cannot be opened in another row. */
export class Sealer {
  /** Identifies the secret key without revealing it. */
  readonly keyId: string;
  private readonly key: Buffer;

  /** Each purpose has its own derived key. */
  constructor(
    secretKey: Uint8Array,
    private readonly purpose: string,
    /** Opens texts that were sealed with the accepted key. */
    private readonly other: Sealer | null = null,
  ) {
    const derive = (use: string, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', use, bytes));
    this.key = derive(`seal ${purpose}`, KEY_BYTES);
    this.keyId = derive('key id', KEY_ID_BYTES).toString('hex');
  }

  static with({ secretKey, acceptedSecretKey }: InstallationKeys, purpose: string): Sealer {
    return new Sealer(secretKey, purpose, acceptedSecretKey && new Sealer(acceptedSecretKey, purpose));
  }

  /** The ids of the keys whose texts can be opened. */
  get keyIds(): readonly string[] {
    return [this.keyId, ...(this.other?.keyIds ?? [])];
  }

  seal(text: string, owner: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, iv).setAAD(this.belonging(owner));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]);
  }

  /** Undefined if the text was sealed with another key or for another owner, or was modified. */
  open(sealed: Uint8Array, owner: string): string | undefined {
    return this.openByOwnKey(sealed, owner) ?? this.other?.open(sealed, owner);
  }

  private openByOwnKey(sealed: Uint8Array, owner: string): string | undefined {
    if (sealed.length < TEXT_AT || sealed[0] !== VERSION) return undefined;
    const decipher = createDecipheriv(CIPHER, this.key, sealed.subarray(1, TAG_AT), { authTagLength: TAG_BYTES })
      .setAAD(this.belonging(owner))
      .setAuthTag(sealed.subarray(TAG_AT, TEXT_AT));
    const text = decipher.update(sealed.subarray(TEXT_AT));
    try {
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }

  private belonging(owner: string): Buffer {
    return Buffer.from(`${this.purpose}\n${this.keyId}\n${owner}`);
  }
}
