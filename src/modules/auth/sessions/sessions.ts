import { Inject, Injectable } from '@nestjs/common';
import { Interval, Timeout } from '@nestjs/schedule';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { Sealer } from '../../../common/platform/config/sealer';
import { Renewals } from '../renewals';
import { newSessionToken, sessionIdOf, type LoginSession } from './domain/login-session';
import { LoginSessionRepository, UsedLogoutTokenRepository } from './persistence/login-session.repository';
import { FIRST_SWEEP_MS, Sweeps, type Sweep } from '../../../common/platform/database/sweeps';

export interface SignedIn {
  readonly userId: string;
  readonly subject: string;
  readonly providerSid: string | null;
  readonly idToken: string;
}

/** The `sid`, the `sub`, or both, of a session that ended at the provider. */
export interface ProviderSession {
  readonly sid: string | undefined;
  readonly subject: string | undefined;
}

const SEEN_INTERVAL_MS = 60_000;
const before = (now: Date, milliseconds: number): Date => new Date(now.getTime() - milliseconds);

/** Sessions of browsers. Ending one runs in the caller's transaction and takes effect at the next request. */
@Injectable()
export class Sessions {
  private readonly idleMs: number;
  private readonly longestMs: number;
  private readonly sealer: Sealer;

  constructor(
    private readonly sessions: LoginSessionRepository,
    private readonly renewals: Renewals,
    @Inject(CONFIGURATION) configuration: Configuration,
  ) {
    const { oidc } = configuration;
    // With AUTH_MODE=none there are no sessions.
    this.idleMs = (oidc?.sessionIdleSeconds ?? 0) * 1000;
    this.longestMs = (oidc?.sessionMaxSeconds ?? 0) * 1000;
    this.sealer = Sealer.with(configuration, 'id token');
  }

  /** Returns the token to store in the cookie. */
  async begin({ idToken, ...signedIn }: SignedIn): Promise<string> {
    const token = newSessionToken();
    const id = sessionIdOf(token)!;
    const now = new Date();
    await this.sessions.insert({
      ...signedIn,
      id,
      sealedIdToken: this.sealer.seal(idToken, id),
      createdAt: now,
      lastSeenAt: now,
      endsAt: new Date(now.getTime() + this.longestMs),
    });
    return token;
  }

  /** The session of a cookie; its use extends it. */
  async use(token: string): Promise<LoginSession | undefined> {
    const session = await this.find(token);
    if (session === undefined) return undefined;
    const now = new Date();
    const rewriteMs = Math.min(SEEN_INTERVAL_MS, this.idleMs / 4);
    if (session.lastSeenAt < before(now, rewriteMs)) {
      await this.sessions.markSeen(session.id, now);
      this.renewals.note(session.userId);
    }
    return session;
  }

  async find(token: string): Promise<LoginSession | undefined> {
    const id = sessionIdOf(token);
    return id === undefined ? undefined : this.findLive(id);
  }

  async isLive(sessionId: string): Promise<boolean> {
    return (await this.findLive(sessionId)) !== undefined;
  }

  /** Undefined if SECRET_KEY has changed since. */
  idTokenOf({ id, sealedIdToken }: LoginSession): string | undefined {
    return sealedIdToken === null ? undefined : this.sealer.open(sealedIdToken, id);
  }

  /** Ends the session of a cookie, also if its user has no access any more. */
  async end(token: string): Promise<void> {
    const id = sessionIdOf(token);
    if (id !== undefined) await this.sessions.delete(id);
  }

  async endOfUser(userId: string): Promise<void> {
    await this.sessions.deleteOfUser(userId);
  }

  async endOfSubject(subject: string): Promise<void> {
    await this.sessions.deleteOfSubject(subject);
  }

  /** Returns how many ended. */
  async endAtProvider({ sid, subject }: ProviderSession): Promise<number> {
    if (sid !== undefined) return this.sessions.deleteOfProviderSession(sid, subject);
    return subject === undefined ? 0 : this.sessions.deleteOfSubject(subject);
  }

  deleteExpired(now: Date): Promise<number> {
    return this.sessions.deleteExpired(now, before(now, this.idleMs));
  }

  private findLive(id: string): Promise<LoginSession | undefined> {
    const now = new Date();
    return this.sessions.findLive(id, now, before(now, this.idleMs));
  }
}

const HOUR_MS = 60 * 60 * 1000;

/** Deletes ended sessions. */
@Injectable()
export class SessionSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly sessions: Sessions,
    private readonly logoutTokens: UsedLogoutTokenRepository,
  ) {}

  @Timeout(FIRST_SWEEP_MS)
  soon(): Promise<void> {
    return this.hourly();
  }

  @Interval(HOUR_MS)
  hourly(): Promise<void> {
    return this.sweeps.run('sessions', this);
  }

  async sweep(now: Date): Promise<number> {
    return (await this.sessions.deleteExpired(now)) + (await this.logoutTokens.deleteExpired(now));
  }
}
