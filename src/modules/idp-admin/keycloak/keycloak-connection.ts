import type { KeycloakAdminClient } from '@keycloak/keycloak-admin-client/lib/client.js';
import { Logger } from '@nestjs/common';
import type { KeycloakAdminConfiguration } from '../../../common/config/configuration';
import { IdentityProviderError } from '../domain/identity-provider-errors';
import { asDomainError, ServiceAccountRefusedError, statusOf } from './provider-failures';

export type Keycloak = KeycloakAdminClient;

const LONGEST_CALL_MS = 10_000;

/** Calls of the admin interface of one realm, as its service account. */
export class KeycloakConnection {
  private readonly logger = new Logger('Keycloak');
  private loading: Promise<Keycloak> | undefined;
  private signingIn: Promise<void> | undefined;

  constructor(
    private readonly configuration: KeycloakAdminConfiguration,
    private readonly longestCallMs = LONGEST_CALL_MS,
  ) {}

  get realm(): string {
    return this.configuration.realm;
  }

  /** What fails rejects with an error that says which attempt it was. */
  async run<T>(
    attempt: string,
    call: (keycloak: Keycloak) => Promise<T>,
    { username }: { readonly username?: string } = {},
  ): Promise<T> {
    try {
      return await this.callSignedIn(call);
    } catch (error) {
      const shown = asDomainError(attempt, error, username);
      if (shown instanceof IdentityProviderError) this.logger.error({ err: shown }, shown.detail);
      throw shown;
    }
  }

  private async callSignedIn<T>(call: (keycloak: Keycloak) => Promise<T>): Promise<T> {
    const keycloak = await this.load();
    if (keycloak.accessToken === undefined || keycloak.isTokenExpired()) await this.signIn(keycloak);
    const token = keycloak.accessToken;
    try {
      return await call(keycloak);
    } catch (error) {
      if (statusOf(error) !== 401) throw error;
    }
    // A token may be revoked before its time. Another call may have fetched the next one meanwhile.
    if (keycloak.accessToken === token) await this.signIn(keycloak);
    return call(keycloak);
  }

  /** Loaded at first use: most services manage no users. */
  private load(): Promise<Keycloak> {
    this.loading ??= import('@keycloak/keycloak-admin-client').then(
      ({ default: Client }) =>
        new Client({
          baseUrl: this.configuration.url,
          realmName: this.configuration.realm,
          timeout: this.longestCallMs,
        }),
    );
    return this.loading;
  }

  private signIn(keycloak: Keycloak): Promise<void> {
    this.signingIn ??= this.fetchToken(keycloak).finally(() => {
      this.signingIn = undefined;
    });
    return this.signingIn;
  }

  private async fetchToken(keycloak: Keycloak): Promise<void> {
    const { clientId, clientSecret } = this.configuration;
    try {
      await keycloak.auth({ grantType: 'client_credentials', clientId, clientSecret });
    } catch (error) {
      const status = statusOf(error);
      if (status === undefined || status >= 500) throw error;
      throw new ServiceAccountRefusedError(`The token was refused with status ${status}`, { cause: error });
    }
  }
}
