export interface Visit {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface VisitOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: object;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly text: string;
}

/** Handles cookies and redirects like a browser, and nothing else. */
export class CookieClient {
  constructor(
    /** Sent unless a request has headers with the same names. The default is that of a URL typed by the user. */
    private readonly usualHeaders: Readonly<Record<string, string>> = { 'sec-fetch-site': 'none' },
  ) {}

  private readonly jars = new Map<string, Map<string, Cookie>>();

  /** Sends one request; does not follow redirects. */
  async ask(address: string, { method, headers = {}, form, json }: VisitOptions = {}): Promise<Visit> {
    const url = new URL(address);
    const cookies = this.cookiesFor(url);
    const response = await fetch(url, {
      method: method ?? (form === undefined && json === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(cookies === '' ? {} : { cookie: cookies }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...this.usualHeaders,
        ...headers,
      },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    for (const text of response.headers.getSetCookie()) this.keep(url, text);
    const body = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json') === true && body !== '';
    return {
      status: response.status,
      url: address,
      headers: response.headers,
      body: isJson ? (JSON.parse(body) as unknown) : body,
    };
  }

  /** Follows redirects up to a URL for which `until` returns true, or up to a response that is not a redirect. */
  async visit(address: string, options: VisitOptions = {}, until: (url: URL) => boolean = () => false): Promise<Visit> {
    let visit = await this.ask(address, options);
    for (let hops = 0; hops < 15 && visit.status >= 300 && visit.status < 400; hops += 1) {
      const next = locationOf(visit);
      if (until(next)) break;
      visit = await this.ask(next.href);
    }
    return visit;
  }

  cookie(address: string, name: string): string | undefined {
    return this.jar(new URL(address)).get(name)?.value;
  }

  /** The cookie header as sent by the server. */
  cookieText(address: string, name: string): string | undefined {
    return this.jar(new URL(address)).get(name)?.text;
  }

  names(address: string): string[] {
    return [...this.jar(new URL(address)).keys()];
  }

  set(address: string, name: string, value: string): void {
    this.jar(new URL(address)).set(name, { value, path: '/', text: '' });
  }

  private cookiesFor(url: URL): string {
    return [...this.jar(url)]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  private keep(url: URL, text: string): void {
    const [pair = '', ...attributes] = text.split(';').map((part) => part.trim());
    const at = pair.indexOf('=');
    const valueOf = (name: string): string | undefined =>
      attributes.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
    const expires = valueOf('expires');
    const isOver = valueOf('max-age') === '0' || (expires !== undefined && new Date(expires) <= new Date());
    const jar = this.jar(url);
    if (isOver) jar.delete(pair.slice(0, at));
    else jar.set(pair.slice(0, at), { value: pair.slice(at + 1), path: valueOf('path') ?? '/', text });
  }

  private jar({ host }: URL): Map<string, Cookie> {
    const jar = this.jars.get(host) ?? new Map<string, Cookie>();
    this.jars.set(host, jar);
    return jar;
  }
}

export const locationOf = (visit: Visit): URL => new URL(visit.headers.get('location')!, visit.url);
