import { type LookupAddress, NOTFOUND, NODATA } from 'node:dns';
import { isIP, BlockList, isIPv4 } from 'node:net';
import { lookup, Resolver } from 'node:dns/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { WebhookHostError } from '../domain/webhook';
import { errorCode } from '../../../common/platform/errors/error-code';

/** Resolves a host to its addresses. */
export abstract class HostResolver {
  abstract resolve(host: string): Promise<LookupAddress[]>;
}

const QUERY_TIMEOUT_MS = 3_000;
const UNKNOWN: readonly (string | undefined)[] = [NOTFOUND, NODATA];

/** Queries DNS without getaddrinfo, which would block a thread of the pool if a server doesn't answer; falls back to it for local names. */
@Injectable()
export class DnsResolver extends HostResolver {
  async resolve(host: string): Promise<LookupAddress[]> {
    if (!host.includes('.')) return lookup(host, { all: true });
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: 1 });
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (found.length > 0) return found;
    for (const each of [four, six])
      if (each.status === 'rejected' && !UNKNOWN.includes(errorCode(each.reason))) throw each.reason as Error;
    return lookup(host, { all: true });
  }
}

/** `named` if a host is listed by its full name (it may then be at a private address), `matched` by a pattern. */
type Permission = 'named' | 'matched' | 'none';

interface Entry {
  readonly host: string;
  readonly isSuffix: boolean;
  /** Null for any port. */
  readonly port: string | null;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

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

/** Addresses that are not public: loopback, private and link-local networks, and reserved ranges. */
const PRIVATE_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Only 2000::/3 is global unicast; these parts of it embed IPv4 addresses or are reserved. */
const PUBLIC_IPV6 = ['2000::', 3] as const;
const RESERVED_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const inner = new BlockList();
for (const [net, prefix] of PRIVATE_IPV4) inner.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of RESERVED_IPV6) inner.addSubnet(net, prefix, 'ipv6');
const outer = new BlockList();
outer.addSubnet(...PUBLIC_IPV6, 'ipv6');

/** Whether an IP address is public. */
export const isPublicAddress = (address: string): boolean =>
  isIPv4(address) ? !inner.check(address) : outer.check(address, 'ipv6') && !inner.check(address, 'ipv6');

export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} resolves to a private address. To allow it, add its full name to WEBHOOK_HOSTS.`);
  }
}

/** Checks which hosts and addresses webhooks may call. */
@Injectable()
export class WebhookAddresses {
  private readonly allowed: AllowedHosts;

  constructor(
    @Inject(CONFIGURATION) { webhookHosts }: Configuration,
    private readonly resolver: HostResolver,
  ) {
    this.allowed = new AllowedHosts(webhookHosts);
  }

  /** Throws if the host is not allowed. Returns whether it is allowed by its full name or by a pattern. */
  assertAllowed(url: URL): Permission {
    const permission = this.allowed.permissionFor(url);
    if (permission === 'none') throw new WebhookHostError(url.host);
    return permission;
  }

  /** Resolves the host once, so that the checked address is the one that is called (DNS rebinding). */
  async pin(url: URL): Promise<LookupAddress> {
    const permission = this.assertAllowed(url);
    const host = plainHost(url.hostname);
    const family = isIP(host);
    const found = family === 0 ? await this.resolver.resolve(host) : [{ address: host, family }];
    const pinned = found.find(({ address }) => permission === 'named' || isPublicAddress(address));
    if (pinned === undefined) throw new PrivateAddressError(host);
    return pinned;
  }
}

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
