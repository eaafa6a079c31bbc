import type { CookieOptions, Request } from 'express';
import type { Configuration } from '../../../common/platform/config/configuration';

export const SESSION_COOKIE = 'SESSION';

/** The first of a name: the browser sends the one of the narrowest path first. */
export const readCookie = (request: Request, name: string): string | undefined =>
  readCookies(request).find((cookie) => cookie.name === name && cookie.value !== '')?.value;

export const readCookies = ({ headers }: Request): readonly { readonly name: string; readonly value: string }[] =>
  (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() }];
  });

/** Out of reach of scripts, and sent along from other sites only by who follows a link. */
export const cookieOptions = ({ baseUrl }: Pick<Configuration, 'baseUrl'>, path = '/'): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  secure: new URL(baseUrl).protocol === 'https:',
  path,
});
