import { contentTypeOf } from '../../common/platform/storage/content-type';
import type { SignedUrlOptions } from '../../common/platform/storage/object-store';
import { storeSource } from '../../common/platform/storage/source-location';
import type { Addresses, MediaAddresses, MediaUrls } from './media-urls';
import type { PreviewRow } from './preview-rows';

/** Signs URLs of originals; implemented by `MediaSources`. */
export interface SourceSigner {
  signedSourceUrl(source: string, options: SignedUrlOptions): Promise<string>;
}

interface SignedRow extends MediaAddresses {
  readonly reusedUntil: number;
}

const EXPIRES_IN_SECONDS = 24 * 3600;
const REUSED_FOR_MS = 6 * 3600 * 1000;

const SHOWN_BY_BROWSERS = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/** Only for images: the original of a video, frame or object is not what a preview shows. */
const isPictureForBrowsers = ({ fileName, box, frameTimestamp }: PreviewRow): boolean =>
  box === null && frameTimestamp === null && SHOWN_BY_BROWSERS.has(contentTypeOf(fileName) ?? '');

/**
 * Signs URLs and reuses them for some hours: signing takes longer than the rest of a page, and browsers
 * cache images by their URL.
 */
export class SignedMediaUrls implements MediaUrls {
  private readonly signed = new WeakMap<PreviewRow, SignedRow>();

  constructor(
    private readonly signer: SourceSigner,
    private readonly now: () => number = Date.now,
    private readonly servesOriginals: () => boolean = () => false,
  ) {}

  async of(rows: readonly PreviewRow[]): Promise<Addresses> {
    const now = this.now();
    const toSign = rows.filter((row) => (this.signed.get(row)?.reusedUntil ?? 0) <= now);
    const signed = await Promise.all(
      toSign.flatMap(({ source, fileName, thumbnailKey }) => [
        this.sign(source, contentTypeOf(fileName)),
        thumbnailKey === null ? Promise.resolve(null) : this.sign(storeSource(thumbnailKey), 'image/webp'),
      ]),
    );
    toSign.forEach((row, i) => {
      const original = signed[2 * i]!;
      this.signed.set(row, { original, thumbnail: signed[2 * i + 1] ?? original, reusedUntil: now + REUSED_FOR_MS });
    });
    const servesOriginals = this.servesOriginals();
    return new Map(rows.map((row) => [row, this.shown(row, servesOriginals)]));
  }

  private shown(row: PreviewRow, servesOriginals: boolean): MediaAddresses {
    const signed = this.signed.get(row)!;
    if (!servesOriginals || !isPictureForBrowsers(row)) return signed;
    return { original: signed.original, thumbnail: signed.original };
  }

  private sign(source: string, contentType: string | null): Promise<string> {
    const type = contentType === null ? {} : { contentType };
    return this.signer.signedSourceUrl(source, { expiresInSeconds: EXPIRES_IN_SECONDS, ...type });
  }
}
