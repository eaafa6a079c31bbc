import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { PrincipalReader } from '../../workspaces';
import type { Authenticator, Caller } from '../principal-source';
import { readCookie, SESSION_COOKIE } from './cookies';
import { NotAdmittedError, SessionEndedError } from './domain/session-errors';
import { Sessions } from './sessions';

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
