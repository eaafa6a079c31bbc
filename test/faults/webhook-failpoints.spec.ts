import { join } from 'node:path';
import type { Failpoint } from '../../src/common/platform/config/failpoint';
import { formOf } from '../support/api-client';
import { ProgramHome } from '../support/program-home';
import { waitUntil } from '../support/wait-until';
import { signatureOf, WebhookReceiver } from '../support/webhook-receiver';
import { allOr, WEBHOOK_FAILPOINTS } from './failpoints';
import { writeMedia } from './indexing-journal';

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly status: string;
}

/** Points at which a change is published without its event, or the event is sent without being recorded. */
const POINTS: readonly Failpoint[] = ['after-flip', 'view-recorded', ...WEBHOOK_FAILPOINTS];
const CHOSEN = allOr(WEBHOOK_FAILPOINTS, POINTS);

const EVENTS = ['task.completed', 'view.matched'];

describe('the program, killed while it calls webhooks', () => {
  let home: ProgramHome;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    home = await ProgramHome.make({ WEBHOOK_HOSTS: '127.0.0.1' });
    await home.start();
  });

  afterAll(async () => {
    await home.remove();
    await receiver.close();
  });

  it('delivers every event at least once, with the same id', async () => {
    const { folder, api } = home;
    await writeMedia(join(folder, 'source'), 4, 1);
    const id = await api.indexed('Webhooks', join(folder, 'source'));
    await api.must(200, 'POST', `/api/v1/dataset/${id}/views`, formOf({ name: 'all' }));
    const hook = await api.must<{ id: string; secret: string }>(200, 'POST', `/api/v1/dataset/${id}/webhooks`, {
      url: receiver.url,
      events: EVENTS,
    });
    for (const [batch, point] of CHOSEN.entries()) {
      await writeMedia(join(folder, `batch-${batch}`), 4, 11 + batch * 10);
      const form = formOf({ s3_uri: join(folder, `batch-${batch}`) });
      await home.dieAt(point, () => api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, form));
      const path = `/api/v1/dataset/${id}/webhooks/${hook.id}/deliveries?limit=100`;
      const list = async (): Promise<Delivery[]> =>
        (await api.must<{ deliveries: Delivery[] }>(200, 'GET', path)).deliveries;
      const owed = (batch + 1) * EVENTS.length;
      await waitUntil(async () => {
        const deliveries = await list();
        return deliveries.length === owed && deliveries.every(({ status }) => status === 'DELIVERED');
      });
      const ids = new Set(receiver.received.map(({ body }) => body.id));
      expect({ point, ids: [...ids].sort() }).toEqual({ point, ids: (await list()).map((each) => each.id).sort() });
    }
    // The event that was sent but not recorded was sent again.
    expect(receiver.received.length).toBe(CHOSEN.length * EVENTS.length + 1);
    for (const each of receiver.received) expect(each.headers['x-dms-signature']).toBe(signatureOf(hook.secret, each));
  }, 300_000);
});
