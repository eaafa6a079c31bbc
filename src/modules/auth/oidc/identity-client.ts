import { Inject, Injectable, Logger } from '@nestjs/common';
import { jwtVerify } from 'jose';
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client';
import {
  CONFIGURATION,
  type Configuration,
  type OidcConfiguration,
} from '../../../common/platform/config/configuration';
import { DomainError } from '../../../common/platform/errors/domain-error';
import { identityOf, type Claims, type Identity } from './domain/identity';
import { SignInDisabledError } from './domain/sign-in-errors';
import { ProviderDiscovery, type Provider, signInFailure, describeFailure } from './provider-discovery';
import type { SignInAttempt } from './sign-in-attempts';

export interface VerifiedIdentity extends Identity {
  readonly idToken: string;
  readonly providerSid: string | null;
}

/** OpenID Connect requests to the provider, for signing in and out. */
@Injectable()
export class IdentityClient {
  private readonly logger = new Logger(IdentityClient.name);

  constructor(
    private readonly discovery: ProviderDiscovery,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** The URL at which the browser signs in. */
  async authorizationUrl(attempt: SignInAttempt): Promise<URL> {
    const { client } = await this.discovery.current();
    return buildAuthorizationUrl(client, {
      response_type: 'code',
      redirect_uri: this.oidc.redirectUri,
      scope: 'openid profile email',
      code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      nonce: attempt.nonce,
    });
  }

  /** Redeems the parameters of the callback for the user's identity. */
  async identify(parameters: URLSearchParams, attempt: SignInAttempt): Promise<VerifiedIdentity> {
    const provider = await this.discovery.known();
    try {
      return await this.redeem(provider, parameters, attempt);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      this.logger.warn(`A sign-in failed: ${describeFailure(error)}`);
      throw signInFailure(error);
    }
  }

  /** Undefined if the provider offers no sign-out or can't be reached. */
  async endSessionUrl(idToken: string | undefined): Promise<URL | undefined> {
    const provider = await this.discovery.known().catch(() => undefined);
    if (provider?.metadata.end_session_endpoint === undefined) return undefined;
    return buildEndSessionUrl(provider.client, {
      post_logout_redirect_uri: `${this.configuration.baseUrl}/`,
      ...(idToken === undefined ? {} : { id_token_hint: idToken }),
    });
  }

  private async redeem(
    provider: Provider,
    parameters: URLSearchParams,
    { state, nonce, codeVerifier }: SignInAttempt,
  ): Promise<VerifiedIdentity> {
    const answered = new URL(this.oidc.redirectUri);
    answered.search = parameters.toString();
    const tokens = await authorizationCodeGrant(provider.client, answered, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims: Claims & { readonly sub: string } = tokens.claims()!;
    const { access_token: accessToken, id_token: idToken } = tokens;
    const origins = [
      claims,
      provider.metadata.userinfo_endpoint === undefined
        ? {}
        : await fetchUserInfo(provider.client, accessToken, claims.sub),
      await claimsOfAccessToken(provider, accessToken),
    ];
    const sid = claims['sid'];
    return {
      ...identityOf(claims.sub, origins),
      idToken: idToken!,
      providerSid: typeof sid === 'string' ? sid : null,
    };
  }

  private get oidc(): OidcConfiguration {
    const { oidc } = this.configuration;
    if (oidc === null) throw new SignInDisabledError();
    return oidc;
  }
}

/** Empty if the access token is not a JWT, which OpenID Connect doesn't require. */
async function claimsOfAccessToken({ keys, metadata }: Provider, token: string): Promise<Claims> {
  try {
    return (await jwtVerify(token, keys, { issuer: metadata.issuer })).payload;
  } catch {
    return {};
  }
}
