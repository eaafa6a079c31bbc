import type { IncomingHttpHeaders } from 'node:http';

/** Whether a browser asks for the sake of a page that is not the service's own. Programs say nothing of the kind. */
export function isFromOtherSite(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const [asking, own] = [new URL(origin), new URL(baseUrl)];
  if (asking.origin === own.origin) return false;
  // Without BASE_URL the service knows itself by another name than its callers do.
  return own.protocol === 'https:' || asking.host !== host;
}
