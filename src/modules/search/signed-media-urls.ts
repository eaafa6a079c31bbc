import { contentTypeOf } from '../../common/storage/content-type';
import type { SignedUrlOptions } from '../../common/storage/object-store';
import { storeSource } from '../../common/storage/source-location';
import type { MediaAddresses, MediaUrls } from './media-urls';
import type { PreviewRow } from './preview-rows';

/** What can sign; `MediaSources` does. */
export interface SourceSigner {
  signedSourceUrl(source: string, options: SignedUrlOptions): Promise<string>;
}

interface SignedRow extends MediaAddresses {
  readonly reusedUntil: number;
}

const EXPIRES_IN_SECONDS = 24 * 3600;
const REUSED_FOR_MS = 6 * 3600 * 1000;

/**
 * Signs the addresses of a row in memory once in a while: signing takes longer than all else of a page,
 * and a browser that is given the same address again has the picture already.
 */
export class SignedMediaUrls implements MediaUrls {
  private readonly signed = new WeakMap<PreviewRow, SignedRow>();

  constructor(
    private readonly signer: SourceSigner,
    private readonly now: () => number = Date.now,
  ) {}

  async of(row: PreviewRow): Promise<MediaAddresses> {
    const known = this.signed.get(row);
    if (known !== undefined && this.now() < known.reusedUntil) return known;
    const original = await this.sign(row.source, contentTypeOf(row.fileName));
    const thumbnail =
      row.thumbnailKey === null ? original : await this.sign(storeSource(row.thumbnailKey), 'image/webp');
    const signed = { original, thumbnail, reusedUntil: this.now() + REUSED_FOR_MS };
    this.signed.set(row, signed);
    return signed;
  }

  private sign(source: string, contentType: string | null): Promise<string> {
    const type = contentType === null ? {} : { contentType };
    return this.signer.signedSourceUrl(source, { expiresInSeconds: EXPIRES_IN_SECONDS, ...type });
  }
}
