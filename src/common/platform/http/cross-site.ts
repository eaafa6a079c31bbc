import type { IncomingHttpHeaders } from 'node:http';

/**
 * On behalf of which page a browser sends the request: of this service, of another site, or unknown. Programs send no such header, and neither do
 * browsers that follow another site's link over plain http.
 */
export function askingSite(headers: IncomingHttpHeaders, baseUrl: string): 'own' | 'other' | 'untold' {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none' ? 'own' : 'other';
  const { host, referer, origin = referer } = headers;
  if (origin === undefined) return 'untold';
  if (!URL.canParse(origin)) return 'other';
  const [asking, own] = [new URL(origin), new URL(baseUrl)];
  if (asking.origin === own.origin) return 'own';
  // Without BASE_URL the service does not know the name its callers use.
  return own.protocol === 'https:' || asking.host !== host ? 'other' : 'own';
}
