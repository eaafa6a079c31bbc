import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../config/loopback';

/** Whether a browser sends the request on behalf of another site's page. Programs send neither header. */
export function isCrossSite(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const [asking, own] = [new URL(origin), new URL(baseUrl)];
  if (asking.origin === own.origin) return false;
  // Without BASE_URL the service does not know the name its callers use.
  return own.protocol === 'https:' || asking.host !== host;
}

/**
 * Whether a request to a loopback service has a loopback host name. Another site can point its own name at this machine, and its page would
 * then pass as same-site.
 */
export function hasOwnHost({ host }: IncomingHttpHeaders, baseUrl: string): boolean {
  const asked = `http://${host ?? ''}`;
  if (!URL.canParse(asked)) return false;
  const { hostname } = new URL(asked);
  return isLoopback(hostname) || hostname === new URL(baseUrl).hostname;
}
