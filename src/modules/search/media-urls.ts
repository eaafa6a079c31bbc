import type { PreviewRow } from './preview-rows';

export interface MediaAddresses {
  readonly original: string;
  readonly thumbnail: string;
}

export type Addresses = ReadonlyMap<PreviewRow, MediaAddresses>;

/** Signs the addresses of media. Hundreds are made for a page of explore: no call may reach the network. */
export interface MediaUrls {
  /** Of each of the rows. */
  of(rows: readonly PreviewRow[]): Promise<Addresses>;
}

export const MEDIA_URLS = Symbol('MediaUrls');
