import type { PreviewRow } from './preview-rows';

export interface MediaAddresses {
  readonly original: string;
  readonly thumbnail: string;
}

/** Signed addresses of media. Hundreds are made for a page of explore: no call may reach the network. */
export interface MediaUrls {
  of(row: PreviewRow): Promise<MediaAddresses>;
}

export const MEDIA_URLS = Symbol('MediaUrls');
