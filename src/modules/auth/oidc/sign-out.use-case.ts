import { createHash } from 'node:crypto';
import { Injectable, Inject, Logger } from '@nestjs/common';
import { jwtVerify, type JWTPayload } from 'jose';
import { TransactionRunner } from '../../../common/platform/database/transaction-runner';
import { AuditLog } from '../../audit';
import { UserRepository } from '../../workspaces';
import { UsedLogoutTokenRepository } from '../sessions/persistence/login-session.repository';
import { Sessions } from '../sessions/sessions';
import { InvalidLogoutTokenError, SignInDisabledError, ProviderUnavailableError } from './domain/sign-in-errors';
import { IdentityClient } from './identity-client';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { CLOCK_TOLERANCE_SECONDS, ProviderDiscovery, isProviderTrouble, describeFailure } from './provider-discovery';

interface LogoutToken {
  /** A digest of issuer and `jti`. */
  readonly id: string;
  readonly sid: string | undefined;
  readonly subject: string | undefined;
  /** After this time the token is refused as too old. */
  readonly expiresAt: Date;
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const OLDEST_SECONDS = 5 * 60;
/** Asymmetric algorithms only. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/** Verifies that a logout token was signed by the provider. */
@Injectable()
export class LogoutTokenVerifier {
  private readonly logger = new Logger(LogoutTokenVerifier.name);

  constructor(
    private readonly discovery: ProviderDiscovery,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  async verify(text: string): Promise<LogoutToken> {
    const { oidc } = this.configuration;
    if (oidc === null) throw new SignInDisabledError();
    const { keys, metadata } = await this.discovery.known();
    try {
      const { payload } = await jwtVerify(text, keys, {
        issuer: metadata.issuer,
        audience: oidc.clientId,
        algorithms: ALGORITHMS,
        maxTokenAge: OLDEST_SECONDS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ['iat', 'jti', 'events'],
      });
      return logoutTokenOf(payload);
    } catch (error) {
      if (error instanceof InvalidLogoutTokenError) throw error;
      if (isProviderTrouble(error)) throw new ProviderUnavailableError({ cause: error });
      this.logger.warn(`A logout token was refused: ${describeFailure(error)}`);
      throw new InvalidLogoutTokenError();
    }
  }
}

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' && claim !== '' ? claim : undefined);

const isLogout = (events: unknown): boolean => {
  if (typeof events !== 'object' || events === null) return false;
  const event: unknown = (events as Readonly<Record<string, unknown>>)[EVENT];
  return typeof event === 'object' && event !== null;
};

function logoutTokenOf({ jti, iat, sub, sid, events, ...others }: JWTPayload): LogoutToken {
  // An ID token has a nonce; it must not be accepted as a logout token.
  if ('nonce' in others || !isLogout(events)) throw new InvalidLogoutTokenError();
  const [session, subject] = [textOf(sid), textOf(sub)];
  if (session === undefined && subject === undefined) throw new InvalidLogoutTokenError();
  const lifetime = OLDEST_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS;
  return {
    id: createHash('sha256').update(jti!).digest('base64url'),
    sid: session,
    subject,
    expiresAt: new Date((iat! + lifetime) * 1000),
  };
}

@Injectable()
export class SignOutUseCase {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly sessions: Sessions,
    private readonly users: UserRepository,
    private readonly audit: AuditLog,
    private readonly identities: IdentityClient,
    private readonly logoutTokens: LogoutTokenVerifier,
    private readonly usedTokens: UsedLogoutTokenRepository,
  ) {}

  /** Returns the URL at which the browser signs out at the provider too. */
  async signOut(token: string | undefined): Promise<URL | undefined> {
    const session = token === undefined ? undefined : await this.sessions.find(token);
    if (token === undefined || session === undefined) return undefined;
    await this.transactions.run(async () => {
      await this.sessions.end(token);
      const user = await this.users.find(session.userId);
      if (user !== undefined)
        await this.audit.recordBy({ userId: user.id, email: user.email }, 'sign_out', session.subject);
    });
    return this.identities.endSessionUrl(this.sessions.idTokenOf(session));
  }

  /** Back-channel logout: ends the sessions that the logout token names. */
  async signOutAtProvider(logoutToken: string): Promise<void> {
    const { id, sid, subject, expiresAt } = await this.logoutTokens.verify(logoutToken);
    await this.transactions.run(async () => {
      if (!(await this.usedTokens.use(id, expiresAt))) throw new InvalidLogoutTokenError();
      const ended = await this.sessions.endAtProvider({ sid, subject });
      if (ended === 0) return;
      const user = subject === undefined ? undefined : await this.users.findBySubject(subject);
      await this.audit.record({
        action: 'sign_out',
        actorId: user?.id ?? null,
        actorEmail: user?.email ?? null,
        subject: subject ?? null,
        details: { by: 'identity provider', sessions: ended },
      });
    });
  }
}
