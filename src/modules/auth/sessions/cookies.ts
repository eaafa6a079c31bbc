import type { CookieOptions, Request } from 'express';
import type { Configuration } from '../../../common/platform/config/configuration';

export const SESSION_COOKIE = 'SESSION';

/** The first cookie of a name: browsers send the one with the most specific path first. */
export const readCookie = (request: Request, name: string): string | undefined =>
  readCookies(request).find((cookie) => cookie.name === name && cookie.value !== '')?.value;

export const readCookies = ({ headers }: Request): readonly { readonly name: string; readonly value: string }[] =>
  (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [{ name: pair.slice(0, at).trim(), value: pair.slice(at + 1).trim() }];
  });

/** HttpOnly and SameSite=Lax: other sites can send it only by a link. */
export const cookieOptions = ({ baseUrl }: Pick<Configuration, 'baseUrl'>, path = '/'): CookieOptions => ({
  httpOnly: true,
  sameSite: 'lax',
  secure: new URL(baseUrl).protocol === 'https:',
  path,
});
