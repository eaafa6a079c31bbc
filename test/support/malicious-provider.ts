import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CompactSign, exportJWK, exportSPKI, generateKeyPair, UnsecuredJWT } from 'jose';
import { CLIENT, signInAt } from './oidc-provider';
import { freePort } from './program';
import { startTestApp, type TestApp } from './test-app';

export type Claims = Record<string, unknown>;

/** Changes to what an honest provider would send. */
export interface Lies {
  readonly claims?: (honest: Claims) => Claims;
  readonly idToken?: (claims: Claims, provider: MaliciousProvider) => Promise<string | undefined>;
  readonly accessToken?: (provider: MaliciousProvider) => Promise<string>;
  readonly userInfo?: (honest: Claims) => Claims;
  readonly tokenAnswer?: { readonly status: number; readonly body: object };
  /** The parameters of the callback. */
  readonly callbackParameters?: (honest: Record<string, string>) => Record<string, string>;
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;

const bytesOf = (claims: Claims): Uint8Array => Buffer.from(JSON.stringify(claims));

/** An identity provider that sends invalid responses as configured. */
export class MaliciousProvider {
  lies: Lies = {};
  /** The nonce of each code. */
  private readonly nonces = new Map<string, string>();

  private constructor(
    private readonly port: number,
    private readonly server: Server,
    private readonly keys: KeyPair,
    private readonly strange: KeyPair,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.serve(request, response));
  }

  static async start(): Promise<MaliciousProvider> {
    const keys = await generateKeyPair('RS256', { extractable: true });
    const strange = await generateKeyPair('RS256', { extractable: true });
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new MaliciousProvider(port, server, keys, strange);
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get variables(): Record<string, string> {
    return signInAt(this.issuer);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  sign(claims: Claims, header: { alg?: string; kid?: string; typ?: string } = {}): Promise<string> {
    return this.signWith(this.keys, claims, header);
  }

  signByStranger(claims: Claims): Promise<string> {
    return this.signWith(this.strange, claims, {});
  }

  /** Signs with a secret that both sides know, like HS256. */
  signBySecret(claims: Claims, secret: string): Promise<string> {
    return new CompactSign(bytesOf(claims))
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .sign(Buffer.from(secret));
  }

  /** Uses the public key as the HMAC secret, a well-known attack. */
  async signByPublicKey(claims: Claims): Promise<string> {
    return this.signBySecret(claims, await exportSPKI(this.keys.publicKey));
  }

  unsigned(claims: Claims): string {
    return new UnsecuredJWT(claims).encode();
  }

  private signWith({ privateKey }: KeyPair, claims: Claims, header: { kid?: string; typ?: string }): Promise<string> {
    return new CompactSign(bytesOf(claims))
      .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
      .sign(privateKey);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, this.issuer);
    const json = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const form = new URLSearchParams(await text(request));
    if (url.pathname === '/authorize') this.authorize(url.searchParams, response);
    else if (url.pathname === '/token') {
      const { status, body } = this.lies.tokenAnswer ?? {
        status: 200,
        body: await this.tokens(form.get('code') ?? ''),
      };
      json(status, body);
    } else if (url.pathname === '/userinfo') json(200, this.userInfo());
    else if (url.pathname === '/jwks')
      json(200, { keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: 'first', use: 'sig' }] });
    else if (url.pathname === '/.well-known/openid-configuration') json(200, this.metadata());
    else json(404, {});
  }

  private authorize(asked: URLSearchParams, response: ServerResponse): void {
    const honest = { code: randomUUID(), state: asked.get('state') ?? '', iss: this.issuer };
    this.nonces.set(honest.code, asked.get('nonce') ?? '');
    const back = new URL(asked.get('redirect_uri')!);
    back.search = new URLSearchParams((this.lies.callbackParameters ?? ((as) => as))(honest)).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  private async tokens(code: string): Promise<object> {
    const now = Math.floor(Date.now() / 1000);
    const honest = {
      iss: this.issuer,
      aud: CLIENT.id,
      sub: 'mallory',
      iat: now,
      exp: now + 300,
      nonce: this.nonces.get(code),
      email: 'mallory@example.com',
      email_verified: true,
      preferred_username: 'mallory',
    };
    const claims = (this.lies.claims ?? ((as) => as))(honest);
    const idToken = await (this.lies.idToken ?? ((said, provider) => provider.sign(said)))(claims, this);
    return {
      access_token: (await this.lies.accessToken?.(this)) ?? 'opaque',
      token_type: 'Bearer',
      expires_in: 300,
      ...(idToken === undefined ? {} : { id_token: idToken }),
    };
  }

  private userInfo(): Claims {
    return (this.lies.userInfo ?? ((as) => as))({ sub: 'mallory' });
  }

  private metadata(): object {
    const at = (path: string): string => `${this.issuer}${path}`;
    return {
      issuer: this.issuer,
      authorization_endpoint: at('/authorize'),
      token_endpoint: at('/token'),
      userinfo_endpoint: at('/userinfo'),
      jwks_uri: at('/jwks'),
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
    };
  }
}

export interface Deceived {
  readonly provider: MaliciousProvider;
  readonly running: TestApp;
  close(): Promise<void>;
}

/** Starts the program with a malicious provider for sign-in. */
export async function startDeceived(): Promise<Deceived> {
  const provider = await MaliciousProvider.start();
  const running = await startTestApp(provider.variables);
  return {
    provider,
    running,
    async close() {
      await running.close();
      await provider.stop();
    },
  };
}
