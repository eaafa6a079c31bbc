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
