import { Injectable } from '@nestjs/common';
import type { Request, CookieOptions } from 'express';
import { PrincipalReader } from '../../workspaces';
import type { Authenticator, Caller } from '../principal-source';
import { NotAdmittedError, SessionEndedError } from './domain/login-session';
import { Sessions } from './sessions';
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

/** Authenticates browsers by their session cookie. */
@Injectable()
export class SessionAuthenticator implements Authenticator {
  constructor(
    private readonly sessions: Sessions,
    private readonly principals: PrincipalReader,
  ) {}

  async authenticate(request: Request): Promise<Caller | undefined> {
    const token = readCookie(request, SESSION_COOKIE);
    if (token === undefined) return undefined;
    const session = await this.sessions.use(token);
    if (session === undefined) throw new SessionEndedError();
    const principal = await this.principals.find(session.userId);
    if (principal === undefined) throw new NotAdmittedError();
    return {
      principal,
      credential: { kind: 'session', sessionId: session.id },
      isStillValid: () => this.sessions.isLive(session.id),
    };
  }
}
