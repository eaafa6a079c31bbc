/** `named` if a host is listed by its full name (it may then be at a private address), `matched` by a pattern. */
export type Permission = 'named' | 'matched' | 'none';

interface Entry {
  readonly host: string;
  readonly isSuffix: boolean;
  /** Null for any port. */
  readonly port: string | null;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host`, `*.suffix`, and either with `:port`; an IPv6 address with a port needs brackets. */
function entryOf(text: string): Entry {
  const bare = text.trim();
  const isAddress = bare.split(':').length > 2 && !bare.startsWith('[');
  const parts = isAddress ? null : /^(.*?)(?::(\d+))?$/.exec(bare);
  const given = isAddress ? `[${bare}]` : (parts?.[1] ?? bare);
  const isSuffix = given.startsWith('*.');
  const host = spelledAsInAddresses(isSuffix ? given.slice(2) : given);
  return { host: isSuffix ? `.${host}` : host, isSuffix, port: parts?.[2] ?? null };
}

function spelledAsInAddresses(host: string): string {
  const address = `http://${host}/`;
  return plainHost(URL.canParse(address) ? new URL(address).hostname : host);
}

/** Without brackets and without the trailing dot of the root. */
export const plainHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');

/** The hosts that webhooks may call, as listed by the operator. */
export class AllowedHosts {
  private readonly entries: readonly Entry[];

  constructor(texts: readonly string[]) {
    this.entries = texts.map(entryOf);
  }

  permissionFor({ protocol, hostname, port: given }: URL): Permission {
    const host = plainHost(hostname);
    const port = given === '' ? DEFAULT_PORTS[protocol] : given;
    const entries = this.entries.filter((entry) => entry.port === null || entry.port === port);
    if (entries.some((entry) => !entry.isSuffix && entry.host === host)) return 'named';
    const isMatched = entries.some((entry) => entry.isSuffix && host.endsWith(entry.host));
    return isMatched ? 'matched' : 'none';
  }
}
