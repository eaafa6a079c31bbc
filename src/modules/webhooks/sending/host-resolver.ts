import { NOTFOUND, NODATA, type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
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
