import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import { z } from 'zod';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { Sealer } from '../../../common/platform/config/sealer';
import { cookieOptions, readCookie, readCookies } from '../sessions/session.authenticator';

const attemptSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
  expiresAt: z.number(),
});
/** A sign-in that a browser has started. */
export type SignInAttempt = Readonly<z.infer<typeof attemptSchema>>;

const LASTS_MS = 10 * 60 * 1000;
const MOST_AT_ONCE = 5;
const PREFIX = 'SIGN_IN_';

/** Stored in sealed cookies of the browser, one for each attempt, so that tabs don't interfere. */
@Injectable()
export class SignInAttempts {
  private readonly sealer: Sealer;

  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {
    this.sealer = Sealer.with(configuration, 'sign-in');
  }

  begin(returnTo: string, request: Request, response: Response): SignInAttempt {
    this.forgetIfMany(request, response);
    const attempt = {
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      returnTo,
      expiresAt: Date.now() + LASTS_MS,
    };
    const sealed = this.sealer.seal(JSON.stringify(attempt), attempt.state).toString('base64url');
    response.cookie(nameOf(attempt.state), sealed, { ...this.options(), maxAge: LASTS_MS });
    return attempt;
  }

  /** The attempt that a callback belongs to; it can be used once. */
  take(state: unknown, request: Request, response: Response): SignInAttempt | undefined {
    if (typeof state !== 'string' || !/^[\w-]{10,100}$/.test(state)) return undefined;
    const sealed = readCookie(request, nameOf(state));
    if (sealed === undefined) return undefined;
    response.clearCookie(nameOf(state), this.options());
    const text = this.sealer.open(Buffer.from(sealed, 'base64url'), state);
    if (text === undefined) return undefined;
    const attempt = attemptSchema.parse(JSON.parse(text));
    return attempt.expiresAt > Date.now() ? attempt : undefined;
  }

  private forgetIfMany(request: Request, response: Response): void {
    const kept = readCookies(request).filter(({ name }) => /^SIGN_IN_[\w-]{1,64}$/.test(name));
    if (kept.length >= MOST_AT_ONCE) for (const { name } of kept) response.clearCookie(name, this.options());
  }

  /** The path covers the callback and the login, which counts old attempts. */
  private options() {
    const { pathname } = new URL('.', this.configuration.oidc?.redirectUri ?? this.configuration.baseUrl);
    return cookieOptions(this.configuration, pathname);
  }
}

const nameOf = (state: string): string => `${PREFIX}${state.slice(0, 16)}`;
