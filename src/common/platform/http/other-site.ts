import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../config/loopback';

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

/**
 * Whether a service that only its own machine reaches is asked by a name of that machine. A page can have its own name
 * lead here, and would then count as a page of the service.
 */
export function isAskedByOwnName({ host }: IncomingHttpHeaders, baseUrl: string): boolean {
  const asked = `http://${host ?? ''}`;
  if (!URL.canParse(asked)) return false;
  const { hostname } = new URL(asked);
  return isLoopback(hostname) || hostname === new URL(baseUrl).hostname;
}
