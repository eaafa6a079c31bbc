import { createHash } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { jwtVerify, type JWTPayload } from 'jose';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { InvalidLogoutTokenError, SignInDisabledError, ProviderUnavailableError } from './domain/sign-in-errors';
import { CLOCK_TOLERANCE_SECONDS, ProviderDiscovery, isProviderTrouble, describeFailure } from './provider-discovery';

export interface LogoutToken {
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

const textOf = (claim: unknown): string | undefined => (typeof claim === 'string' && claim !== '' ? claim : undefined);

const isLogout = (events: unknown): boolean => {
  if (typeof events !== 'object' || events === null) return false;
  const event: unknown = (events as Readonly<Record<string, unknown>>)[EVENT];
  return typeof event === 'object' && event !== null;
};
