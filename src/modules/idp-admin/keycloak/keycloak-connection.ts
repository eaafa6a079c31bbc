import type { KeycloakAdminClient } from '@keycloak/keycloak-admin-client/lib/client.js';
import { Logger } from '@nestjs/common';
import { decodeJwt } from 'jose';
import type { KeycloakAdminConfiguration } from '../../../common/platform/config/configuration';
import { IdentityProviderError } from '../domain/identity-provider-errors';
import { asDomainError, ServiceAccountRefusedError, statusOf } from './provider-failures';

export type Keycloak = KeycloakAdminClient;

const LONGEST_CALL_MS = 10_000;
/** Part of its lifetime after which a token is replaced. */
const REFRESH_AFTER_FRACTION = 0.8;

interface Token {
  readonly text: string;
  /** By the local clock, which may differ from Keycloak's. */
  readonly until: number;
}

/** Calls the admin API of one realm with its service account. */
export class KeycloakConnection {
  private readonly logger = new Logger('Keycloak');
  private loading: Promise<Keycloak> | undefined;
  private token: Token | undefined;
  private signingIn: Promise<string> | undefined;

  constructor(
    private readonly configuration: KeycloakAdminConfiguration,
    private readonly longestCallMs = LONGEST_CALL_MS,
  ) {}

  get realm(): string {
    return this.configuration.realm;
  }

  /** Rejects with an error that names the attempted action. A call that is not idempotent must be the only one of its run, which may be repeated. */
  async run<T>(
    attempt: string,
    call: (keycloak: Keycloak) => Promise<T>,
    { username }: { readonly username?: string } = {},
  ): Promise<T> {
    try {
      return await this.callSignedIn(call);
    } catch (error) {
      const shown = asDomainError(attempt, error, username);
      if (shown instanceof IdentityProviderError) this.logger.error(`${shown.detail} (${rootOf(shown)})`);
      throw shown;
    }
  }

  private async callSignedIn<T>(call: (keycloak: Keycloak) => Promise<T>): Promise<T> {
    this.loading ??= this.load();
    const keycloak = await this.loading;
    const { token } = this;
    try {
      return await call(keycloak);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
    }
    // The token may have been revoked early. Another call may have fetched the next one already.
    if (this.token === token || token === undefined) this.token = undefined;
    return call(keycloak);
  }

  /** Loaded at first use: most installations manage no users. */
  private async load(): Promise<Keycloak> {
    const { default: Client } = await import('@keycloak/keycloak-admin-client');
    const { url: baseUrl, realm: realmName } = this.configuration;
    const keycloak = new Client({ baseUrl, realmName, timeout: this.longestCallMs });
    keycloak.registerTokenProvider({ getAccessToken: () => this.currentToken(keycloak) });
    return keycloak;
  }

  private async currentToken(keycloak: Keycloak): Promise<string> {
    if (this.token !== undefined && Date.now() < this.token.until) return this.token.text;
    this.signingIn ??= this.signIn(keycloak).finally(() => {
      this.signingIn = undefined;
    });
    return this.signingIn;
  }

  private async signIn(keycloak: Keycloak): Promise<string> {
    const { clientId, clientSecret } = this.configuration;
    const askedAt = Date.now();
    try {
      await keycloak.auth({ grantType: 'client_credentials', clientId, clientSecret });
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || status >= 500) throw error;
      throw new ServiceAccountRefusedError(`The token was refused with status ${status}`, { cause: error });
    }
    const text = keycloak.accessToken ?? '';
    const { exp = 0, iat = exp } = decodeJwt(text);
    this.token = { text, until: askedAt + (exp - iat) * 1000 * REFRESH_AFTER_FRACTION };
    return text;
  }
}

/** The root cause, such as a refused connection. */
function rootOf(error: Error): string {
  let root: Error = error;
  while (root.cause instanceof Error) root = root.cause;
  return root.message;
}
