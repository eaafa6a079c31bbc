import type { KeycloakAdminClient } from '@keycloak/keycloak-admin-client/lib/client.js';
import { Logger } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { KeycloakAdminConfiguration } from '../../../common/platform/config/configuration';
import {
  IdentityProviderError,
  ProviderUserNotFoundError,
  RefusedByProviderError,
  UsernameTakenError,
} from '../domain/provider-user';
import { DomainError } from '../../../common/platform/errors/domain-error';

/** Keycloak refuses the service account. */
class ServiceAccountRefusedError extends Error {}

/** The error that Keycloak's client rejects with for an unsuccessful response. */
const refusal = z.object({ response: z.object({ status: z.number() }), responseData: z.unknown() });

const brokenRule = z.object({ field: z.string(), errorMessage: z.string() });
const explanation = z
  .object({
    errors: z.array(brokenRule),
    field: z.string(),
    errorMessage: z.string(),
    error: z.string(),
    error_description: z.string(),
  })
  .partial();

const FIELDS: Readonly<Record<string, string>> = { firstName: 'first name', lastName: 'last name' };

const RULES: Readonly<Record<string, string>> = {
  'error-username-invalid-character': 'has a character that is not allowed',
  'error-person-name-invalid-character': 'has a character that is not allowed',
  'error-user-attribute-read-only': 'may not be changed',
  'error-user-attribute-required': 'is missing',
  'error-invalid-length': 'is too short or too long',
  'error-invalid-length-too-short': 'is too short',
  'error-invalid-length-too-long': 'is too long',
};

const ruleInWords = ({ field, errorMessage }: z.infer<typeof brokenRule>): string =>
  `the ${FIELDS[field] ?? field} ${RULES[errorMessage] ?? `breaks the rule ${errorMessage}`}`;

export const statusOf = (error: unknown): number | undefined => refusal.safeParse(error).data?.response.status;

/** Checked by shape: errors of Node may belong to another JavaScript realm. */
const thrown = z.object({ name: z.string(), message: z.string() });

/** Errors of fetch for a missing or truncated response. */
const LOST: readonly string[] = ['fetch failed', 'terminated'];

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

function reasonOf(data: unknown): string {
  const said = explanation.safeParse(data).data ?? {};
  if (said.errors !== undefined) return said.errors.map(ruleInWords).join('; ');
  if (said.field !== undefined) return ruleInWords({ field: said.field, errorMessage: said.errorMessage ?? '' });
  return said.error_description ?? said.errorMessage ?? said.error ?? 'it gave no reason';
}

function fromAnswer(attempt: string, error: unknown, takenUsername: string | undefined): DomainError | undefined {
  const answer = refusal.safeParse(error).data;
  if (answer === undefined) return undefined;
  const { status } = answer.response;
  const reason = reasonOf(answer.responseData);
  if (status === 404 && reason === 'User not found') return new ProviderUserNotFoundError();
  if (status === 409 && takenUsername !== undefined) return new UsernameTakenError(takenUsername);
  if (status === 400) return new RefusedByProviderError(attempt, reason);
  if (status === 403) return new IdentityProviderError(attempt, 'its service account lacks a role for this', error);
  return new IdentityProviderError(attempt, `it answered with status ${status} (${reason})`, error);
}

/** Converts the error of a failed call to a domain error. */
function asDomainError(attempt: string, error: unknown, takenUsername?: string): DomainError {
  if (error instanceof DomainError) return error;
  const failed = (reason: string): DomainError => new IdentityProviderError(attempt, reason, error);
  if (error instanceof ServiceAccountRefusedError) return failed('it refused the service account');
  const answered = fromAnswer(attempt, error, takenUsername);
  if (answered !== undefined) return answered;
  const { name, message } = thrown.safeParse(error).data ?? { name: '', message: '' };
  if (name === 'TimeoutError') return failed('it did not answer in time');
  return failed(LOST.includes(message) ? 'it cannot be reached' : 'its answer was not understood');
}
