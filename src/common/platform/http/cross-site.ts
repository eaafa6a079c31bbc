import type { IncomingHttpHeaders } from 'node:http';

/**
 * Which site initiated the request of a browser: this service, another site, or unknown. Requests of programs have none of these headers, and neither
 * have those of browsers that follow a link of another site over plain HTTP.
 */
export function askingSite(headers: IncomingHttpHeaders, baseUrl: string): 'own' | 'other' | 'untold' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other';
  const { host, referer, origin = referer } = headers;
  if (origin === undefined) return 'untold';
  if (!URL.canParse(origin)) return 'other';
  const [asking, own] = [new URL(origin), new URL(baseUrl)];
  if (asking.origin === own.origin) return 'own';
  // Without BASE_URL the service does not know the host name that its callers use.
  return own.protocol === 'https:' || asking.host !== host ? 'other' : 'own';
}
