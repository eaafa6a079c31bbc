import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { AllowedHosts, plainHost, type Permission } from '../domain/allowed-hosts';
import { WebhookHostError } from '../domain/webhook-errors';
import { HostResolver } from './host-resolver';
import { isOuterAddress } from './outer-address';

export class InnerAddressError extends Error {
  constructor(host: string) {
    super(`${host} lies in an inner network: WEBHOOK_HOSTS must name it in full`);
  }
}

/** Which addresses webhooks may call. */
@Injectable()
export class WebhookAddresses {
  private readonly allowed: AllowedHosts;

  constructor(
    @Inject(CONFIGURATION) { webhookHosts }: Configuration,
    private readonly resolver: HostResolver,
  ) {
    this.allowed = new AllowedHosts(webhookHosts);
  }

  /** Says whether the host is named in full. */
  assertAllowed(url: URL): Permission {
    const permission = this.allowed.permissionFor(url);
    if (permission === 'none') throw new WebhookHostError(url.host);
    return permission;
  }

  /** The one address to connect to: asked for once, it can't become another between the check and the call. */
  async pin(url: URL): Promise<LookupAddress> {
    const permission = this.assertAllowed(url);
    const host = plainHost(url.hostname);
    const family = isIP(host);
    const found = family === 0 ? await this.resolver.resolve(host) : [{ address: host, family }];
    const pinned = found.find(({ address }) => permission === 'named' || isOuterAddress(address));
    if (pinned === undefined) throw new InnerAddressError(host);
    return pinned;
  }
}
