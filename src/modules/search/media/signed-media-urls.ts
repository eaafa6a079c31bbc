import { contentTypeOf } from '../../../common/platform/storage/links/content-headers';
import type { SignedUrl, SignedUrlOptions } from '../../../common/platform/storage/object-store';
import { storeSource } from '../../../common/platform/storage/sources/source-location';
import type { PreviewRow } from '../explore/found-clusters';

export interface MediaAddresses {
  readonly original: string;
  readonly thumbnail: string;
}

export type Addresses = ReadonlyMap<PreviewRow, MediaAddresses>;

/** Signs the URLs of media. A page of explore needs hundreds, so implementations must not use the network. */
export interface MediaUrls {
  /** One entry for each row. */
  of(rows: readonly PreviewRow[]): Promise<Addresses>;
}

export const MEDIA_URLS = Symbol('MediaUrls');

/** Signs URLs of originals; implemented by `MediaSources`. */
export interface SourceSigner {
  signedSourceUrl(source: string, options: SignedUrlOptions): SignedUrl;
}

const EXPIRES_IN_SECONDS = 24 * 3600;

const SHOWN_BY_BROWSERS = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/** Only for images: the preview of a video, frame or object does not show its original. */
const isPictureForBrowsers = ({ fileName, box, frameTimestamp }: PreviewRow): boolean =>
  box === null && frameTimestamp === null && SHOWN_BY_BROWSERS.has(contentTypeOf(fileName) ?? '');

/** Signs the URLs of media. They stay the same for some hours, and browsers cache images by their URL. */
export class SignedMediaUrls implements MediaUrls {
  constructor(
    private readonly signer: SourceSigner,
    private readonly servesOriginals: () => boolean = () => false,
  ) {}

  async of(rows: readonly PreviewRow[]): Promise<Addresses> {
    const servesOriginals = this.servesOriginals();
    const addresses = new Map<PreviewRow, MediaAddresses>();
    for (const row of rows) {
      const { source, fileName, thumbnailKey } = row;
      const ofSource = this.sign(source, contentTypeOf(fileName));
      const showsOriginal = thumbnailKey === null || (servesOriginals && isPictureForBrowsers(row));
      const shown = showsOriginal ? ofSource : this.sign(storeSource(thumbnailKey), 'image/webp');
      // Nearly all are texts already, and waiting for a text costs a microtask.
      const areTexts = typeof ofSource === 'string' && typeof shown === 'string';
      const [original, thumbnail] = areTexts ? [ofSource, shown] : await Promise.all([ofSource, shown]);
      addresses.set(row, { original, thumbnail });
    }
    return addresses;
  }

  private sign(source: string, contentType: string | null): SignedUrl {
    const expiresInSeconds = EXPIRES_IN_SECONDS;
    return this.signer.signedSourceUrl(
      source,
      contentType === null ? { expiresInSeconds } : { expiresInSeconds, contentType },
    );
  }
}
