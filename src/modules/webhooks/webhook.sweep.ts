import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Sweeps, type Sweep } from '../../common/platform/database/sweeps';
import { JobQueue } from '../../common/platform/jobs/job-queue';
import { SEND_DELIVERIES } from './jobs/send-deliveries.job';
import { WebhookDeliveryRepository } from './persistence/webhook-delivery.repository';

const MINUTE_MS = 60 * 1_000;
const KEPT_MS = 30 * 24 * 60 * MINUTE_MS;

/** Deletes deliveries that ended a month ago, and restarts runs that were lost. */
@Injectable()
export class WebhookSweep implements Sweep {
  constructor(
    private readonly sweeps: Sweeps,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly queue: JobQueue,
  ) {}

  @Interval(10 * MINUTE_MS)
  frequent(): Promise<void> {
    return this.sweeps.run('webhook deliveries', this);
  }

  async sweep(now: Date): Promise<number> {
    for (const webhookId of await this.deliveries.listDueWebhookIds(now))
      await this.queue.enqueue(SEND_DELIVERIES, { webhookId }, { singletonKey: webhookId });
    return this.deliveries.deleteEnded(new Date(now.getTime() - KEPT_MS));
  }
}
