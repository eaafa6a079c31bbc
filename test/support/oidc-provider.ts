import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider, type Configuration } from 'oidc-provider';
import { OidcMemory } from './oidc-memory';
import { freePort } from './program';

export interface Person {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export const CLIENT = { id: 'media-service', secret: 'a-secret-of-the-client' };

/** The configuration of a service that uses the provider for sign-in. */
export const signInAt = (issuer: string): Record<string, string> => ({
  AUTH_MODE: 'oidc',
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  RATE_LIMIT_LOGIN: '0',
});

/** A certified OpenID provider on its own port. It signs in the user chosen by the test, without a login page. */
export class OidcProvider {
  readonly people = new Map<string, Person>();
  /** The user who signs in next; if undefined, sign-in is refused. */
  who: string | undefined;
  private provider: Provider | undefined;
  private server: Server | undefined;

  private constructor(private readonly port: number) {}

  static async reserve(): Promise<OidcProvider> {
    return new OidcProvider(await freePort());
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get variables(): Record<string, string> {
    return signInAt(this.issuer);
  }

  add(person: Person): void {
    this.people.set(person.sub, person);
  }

  /** Registers the service at this URL as its client. */
  async serve(serviceUrl: string): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'first' };
    this.provider = new Provider(this.issuer, this.configuration(serviceUrl, key));
    await this.listen();
  }

  async listen(): Promise<void> {
    const serve = this.provider!.callback();
    const server = createServer((request, response) => {
      if (request.url?.startsWith('/interaction/') === true) void this.interact(request, response);
      else void serve(request, response);
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  private configuration(serviceUrl: string, key: object): Configuration {
    return {
      adapter: OidcMemory,
      jwks: { keys: [key] },
      cookies: { keys: ['of the test'] },
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [`${serviceUrl}/api/v1/oidc/callback`],
          post_logout_redirect_uris: [`${serviceUrl}/`],
          backchannel_logout_uri: `${serviceUrl}/api/v1/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      claims: {
        openid: ['sub', 'realm_access', 'resource_access'],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name', 'preferred_username'],
      },
      ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 3600, IdToken: 300, Interaction: 600, Session: 3600 },
      pkce: { required: () => true },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true, logoutSource: (context, form) => void (context.body = form) },
      },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      fetch: (url, options) => {
        // The default dispatcher refuses to call a service on this machine.
        delete options?.dispatcher;
        return fetch(url, options);
      },
      findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...this.people.get(id), sub: id }) }),
    };
  }

  private async interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.provider!;
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      const result = this.who === undefined ? { error: 'access_denied' } : { login: { accountId: this.who } };
      await provider.interactionFinished(request, response, result);
      return;
    }
    const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
}
