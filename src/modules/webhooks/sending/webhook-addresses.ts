import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { AllowedHosts, plainHost, type Permission } from '../domain/allowed-hosts';
import { WebhookHostError } from '../domain/webhook-errors';
import { HostResolver } from './host-resolver';
import { isPublicAddress } from './public-address';

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
