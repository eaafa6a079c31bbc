import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIGURATION, type Configuration } from '../../../common/platform/config/configuration';
import { Sealer } from '../../../common/platform/config/sealer';
import { WEBHOOK_SECRETS, type Webhook } from '../domain/webhook';

const SECRET_BYTES = 32;

/** Secrets shared with the receivers, by which they verify the sender. */
@Injectable()
export class WebhookSecrets {
  private readonly sealer: Sealer;

  constructor(@Inject(CONFIGURATION) configuration: Configuration) {
    this.sealer = Sealer.with(configuration, WEBHOOK_SECRETS);
  }

  make(webhookId: string): { readonly secret: string; readonly sealedSecret: Buffer } {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    return { secret, sealedSecret: this.sealer.seal(secret, webhookId) };
  }

  /** Undefined if SECRET_KEY has changed since the secret was sealed. */
  sign({ id, sealedSecret }: Webhook, timestamp: string, body: string): string | undefined {
    const secret = this.sealer.open(sealedSecret, id);
    if (secret === undefined) return undefined;
    return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
  }
}
