/** An API key and its secret, or an existing token. Omit credentials if the service needs no sign-in. */
export type Credentials = { readonly apiKey: string; readonly apiSecret: string } | { readonly token: string };

const LIFETIME_SECONDS = 600;
const RENEW_SECONDS_BEFORE = 60;

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** Signs a JWT in the format of the service: HS256, with the API key as `kid` and `sub`. */
export async function signToken(
  { apiKey, apiSecret }: { readonly apiKey: string; readonly apiSecret: string },
  issuedAt: number,
  lifetimeSeconds = LIFETIME_SECONDS,
): Promise<string> {
  const part = (value: object): string => encode(utf8(JSON.stringify(value)));
  const claims = { sub: apiKey, iss: 'sdk', iat: issuedAt, exp: issuedAt + lifetimeSeconds };
  const text = `${part({ alg: 'HS256', typ: 'JWT', kid: apiKey })}.${part(claims)}`;
  const key = await crypto.subtle.importKey('raw', utf8(apiSecret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return `${text}.${encode(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))))}`;
}

/** Creates a token when it is first needed, and a new one before it expires. */
export class TokenSource {
  private token: { readonly text: Promise<string>; readonly expires: number } | undefined;
  private aheadSeconds = 0;

  constructor(
    private readonly credentials: Credentials | undefined,
    private readonly now: () => number = () => Date.now() / 1000,
  ) {}

  async current(): Promise<string | undefined> {
    if (this.credentials === undefined) return undefined;
    if ('token' in this.credentials) return this.credentials.token;
    const now = Math.floor(this.now() + this.aheadSeconds);
    if (this.token === undefined || now >= this.token.expires - RENEW_SECONDS_BEFORE)
      this.token = { text: signToken(this.credentials, now), expires: now + LIFETIME_SECONDS };
    return this.token.text;
  }

  /** Call after a refusal: adjusts to the clock of the service. Returns whether to retry with another token. */
  adjust(dateOfService: string | null): boolean {
    if (this.credentials === undefined || 'token' in this.credentials || dateOfService === null) return false;
    const ahead = Date.parse(dateOfService) / 1000 - this.now();
    if (!Number.isFinite(ahead) || Math.abs(ahead - this.aheadSeconds) < RENEW_SECONDS_BEFORE / 2) return false;
    this.aheadSeconds = ahead;
    this.token = undefined;
    return true;
  }
}
