import { Inject, Injectable, Logger } from '@nestjs/common';
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
  type ClientAuth,
  type Configuration as ProviderClient,
  type ServerMetadata,
} from 'openid-client';
import {
  CONFIGURATION,
  type Configuration,
  type OidcConfiguration,
} from '../../../common/platform/config/configuration';
import { SignInDisabledError, ProviderUnavailableError, SignInRefusedError } from './domain/sign-in-errors';

/** Errors that mean a fault of the provider or of its configuration for this service. */
const NOT_THE_CALLERS_FAULT = new Set([
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
]);
const UNREACHED_CODES = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'ERR_JWKS_TIMEOUT']);

interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
}

const isUnreached = ({ name, message, code, status, error }: Failure): boolean =>
  message === 'fetch failed' ||
  name === 'TimeoutError' ||
  (typeof code === 'string' && UNREACHED_CODES.has(code)) ||
  (typeof status === 'number' && status >= 500) ||
  (typeof error === 'string' && NOT_THE_CALLERS_FAULT.has(error));

export const isProviderTrouble = (error: unknown): boolean => [...causesOf(error)].some(isUnreached);

const firstText = (error: unknown, name: 'error' | 'code'): string | undefined =>
  [...causesOf(error)].map((each) => each[name]).find((value) => typeof value === 'string');

/** A description for the log, without the codes and tokens that the errors contain. */
export const describeFailure = (error: unknown): string =>
  [...causesOf(error)]
    .map(({ message, error: said, code }) => [said, code, message].filter((part) => typeof part === 'string').join(' '))
    .filter((line) => line !== '')
    .join(': ');

export interface Provider {
  readonly client: ProviderClient;
  readonly metadata: Readonly<ServerMetadata>;
  /** Keys that sign its tokens. */
  readonly keys: JWTVerifyGetKey;
}

const TIMEOUT_SECONDS = 10;
const FRESH_MS = 5_000;
export const CLOCK_TOLERANCE_SECONDS = 60;

/** The provider's metadata, loaded at the first sign-in rather than at startup; failures are not cached. */
@Injectable()
export class ProviderDiscovery {
  private readonly logger = new Logger(ProviderDiscovery.name);
  private latest: { readonly provider: Provider; readonly at: number } | undefined;
  private asking: Promise<Provider> | undefined;

  constructor(@Inject(CONFIGURATION) private readonly configuration: Configuration) {}

  /** Current metadata; rejects if the provider can't be reached. */
  async current(): Promise<Provider> {
    if (this.latest !== undefined && Date.now() - this.latest.at < FRESH_MS) return this.latest.provider;
    return this.ask();
  }

  /** The metadata loaded last; undefined if it never was. */
  async known(): Promise<Provider> {
    return this.latest?.provider ?? this.ask();
  }

  private ask(): Promise<Provider> {
    this.asking ??= this.discover().finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async discover(): Promise<Provider> {
    const { oidc } = this.configuration;
    if (oidc === null) throw new SignInDisabledError();
    try {
      const provider = await providerOf(oidc);
      this.latest = { provider, at: Date.now() };
      return provider;
    } catch (error) {
      this.logger.warn(`The identity provider ${oidc.issuer} cannot be used: ${describeFailure(error)}`);
      throw new ProviderUnavailableError({ cause: error });
    }
  }
}

async function providerOf({ issuer, clientId, clientSecret }: OidcConfiguration): Promise<Provider> {
  const url = new URL(issuer);
  const timeout = TIMEOUT_SECONDS;
  // Verify the signature of ID tokens too; TLS alone is not enough.
  const execute = [enableNonRepudiationChecks];
  // The operator configured an issuer without TLS, for a private network.
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- so marked only to stand out
  if (url.protocol === 'http:') execute.push(allowInsecureRequests);
  const settings = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const client = await discovery(url, clientId, settings, clientAuthOf(clientSecret), { timeout, execute });
  const metadata = client.serverMetadata();
  const { authorization_endpoint: authorization, token_endpoint: token, jwks_uri: keysAt } = metadata;
  if (authorization === undefined || token === undefined || keysAt === undefined)
    throw new Error('Its metadata lacks authorization_endpoint, token_endpoint or jwks_uri');
  const keys = createRemoteJWKSet(new URL(keysAt), { timeoutDuration: timeout * 1000 });
  return { client, metadata, keys };
}

/** Prefers client_secret_post if supported: client_secret_basic is encoded differently by different providers. */
function clientAuthOf(secret: string): ClientAuth {
  const [inForm, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    (methods.includes('client_secret_post') ? inForm : inHeader)(server, ...rest);
  };
}

function* causesOf(error: unknown): Generator<Failure> {
  let cause = error;
  for (let depth = 0; depth < 8 && typeof cause === 'object' && cause !== null; depth += 1) {
    yield cause;
    cause = (cause as Failure).cause;
  }
}

/** The error to show to the user who tried to sign in. */
export function signInFailure(error: unknown): ProviderUnavailableError | SignInRefusedError {
  if (isProviderTrouble(error)) return new ProviderUnavailableError({ cause: error });
  const said = firstText(error, 'error');
  if (said === 'access_denied')
    return new SignInRefusedError('The identity provider denied the sign-in', 'access_denied', { cause: error });
  return new SignInRefusedError(
    'The response of the identity provider is not valid. Start again.',
    said ?? firstText(error, 'code') ?? 'invalid answer',
    { cause: error },
  );
}
