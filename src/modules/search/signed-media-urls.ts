import { contentTypeOf } from '../../common/platform/storage/content-type';
import type { SignedUrlOptions } from '../../common/platform/storage/object-store';
import { storeSource } from '../../common/platform/storage/source-location';
import type { Addresses, MediaAddresses, MediaUrls } from './media-urls';
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

const SHOWN_BY_BROWSERS = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/** Of a video, a frame or an object the original is something else than what is shown. */
const isPictureForBrowsers = ({ fileName, box, frameTimestamp }: PreviewRow): boolean =>
  box === null && frameTimestamp === null && SHOWN_BY_BROWSERS.has(contentTypeOf(fileName) ?? '');

/**
 * Signs the addresses of a row in memory once in a while: signing takes longer than all else of a page,
 * and a browser that is given the same address again has the picture already.
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
