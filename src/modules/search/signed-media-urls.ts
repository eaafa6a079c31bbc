import { RecentlyUsed } from '../../common/platform/cache/recently-used';
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
  readonly row: Pick<PreviewRow, 'source' | 'fileName' | 'thumbnailKey'>;
  readonly reusedUntil: number;
}

const EXPIRES_IN_SECONDS = 24 * 3600;
const REUSED_FOR_MS = 6 * 3600 * 1000;

const SHOWN_BY_BROWSERS = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif']);

/** Only for images: the original of a video, frame or object is not what a preview shows. */
const isPictureForBrowsers = ({ fileName, box, frameTimestamp }: PreviewRow): boolean =>
  box === null && frameTimestamp === null && SHOWN_BY_BROWSERS.has(contentTypeOf(fileName) ?? '');

/** Those shown last: pages of one dataset mostly show the same media again, as rows that were read anew. */
const MOST_KEPT = 20_000;

/** The row of another version may have the same id. */
const isOf = ({ row }: SignedRow, { source, fileName, thumbnailKey }: PreviewRow): boolean =>
  row.source === source && row.fileName === fileName && row.thumbnailKey === thumbnailKey;

/**
 * Signs URLs and reuses them for some hours: signing takes as long as the rest of a page, and browsers
 * cache images by their URL.
 */
export class SignedMediaUrls implements MediaUrls {
  private readonly signed = new RecentlyUsed<SignedRow>(MOST_KEPT);

  constructor(
    private readonly signer: SourceSigner,
    private readonly now: () => number = Date.now,
    private readonly servesOriginals: () => boolean = () => false,
  ) {}

  async of(rows: readonly PreviewRow[]): Promise<Addresses> {
    const servesOriginals = this.servesOriginals();
    const addresses = await Promise.all(rows.map((row) => this.signedOf(row)));
    return new Map(
      rows.map((row, at) => {
        const { original, thumbnail } = addresses[at]!;
        return [row, { original, thumbnail: servesOriginals && isPictureForBrowsers(row) ? original : thumbnail }];
      }),
    );
  }

  private async signedOf(row: PreviewRow): Promise<SignedRow> {
    const known = this.signed.get(row.id);
    return known !== undefined && known.reusedUntil > this.now() && isOf(known, row) ? known : this.signRow(row);
  }

  private async signRow(row: PreviewRow): Promise<SignedRow> {
    const { source, fileName, thumbnailKey } = row;
    const reusedUntil = this.now() + REUSED_FOR_MS;
    const original = await this.sign(source, contentTypeOf(fileName));
    const thumbnail = thumbnailKey === null ? original : await this.sign(storeSource(thumbnailKey), 'image/webp');
    const signed = { row: { source, fileName, thumbnailKey }, original, thumbnail, reusedUntil };
    this.signed.set(row.id, signed);
    return signed;
  }

  private sign(source: string, contentType: string | null): Promise<string> {
    const type = contentType === null ? {} : { contentType };
    return this.signer.signedSourceUrl(source, { expiresInSeconds: EXPIRES_IN_SECONDS, ...type });
  }
}
