import { join } from 'node:path';
import type { Failpoint } from '../../src/common/platform/config/failpoint';
import { formOf } from '../support/api-client';
import { ReviewClient } from '../support/review-client';
import { runningHome } from '../support/running-home';
import { waitUntil } from '../support/wait-until';
import { allOr, VIEW_FAILPOINTS } from './failpoints';
import { writeMedia } from './indexing-journal';

/** More views than are recorded in one step. */
const VIEWS = 22;
/** Up to this number of users, notifications are sent one by one. */
const ALONE = 5;

interface Notifications {
  readonly total: number;
  readonly notifications: readonly { readonly message: string | null }[];
}

interface Trend {
  readonly points: { readonly batch_id: string; readonly count: number; readonly cumulative: number }[];
}

/** Points at which a batch is published while all or some of its views are not evaluated. */
const POINTS: readonly (readonly [Failpoint, number])[] = [
  ['after-flip', 1],
  ...VIEW_FAILPOINTS.map((point) => [point, 1] as const),
  ['view-recording', 2],
  ['view-recorded', 2],
];

const FEW: typeof POINTS = [
  ['views-counted', 1],
  ['view-recorded', 2],
];

const FEEDING = "SELECT 1 FROM job_run WHERE type = 'feed-review-queue' AND finished_at IS NULL";

describe('the program, killed while it evaluates views', () => {
  const home = runningHome({ MAX_NOTIFICATIONS_PER_BATCH: String(ALONE) });

  it('counts every batch once for every view, notifies once, and adds each medium to a queue once', async () => {
    const { folder, api } = home();
    const { paths } = await writeMedia(join(folder, 'source'), 4, 1);
    const id = await api.indexed('Views', join(folder, 'source'));
    const views: string[] = [];
    for (let view = 0; view < VIEWS; view++) {
      const path = `/api/v1/dataset/${id}/views`;
      views.push((await api.must<{ id: string }>(200, 'POST', path, formOf({ name: `view ${view}` }))).id);
    }
    const queue = await ReviewClient.make(api, id, { name: 'Fed', view_id: views[0], question: { type: 'accept' } });
    await waitUntil(async () => (await home().query(FEEDING)).length === 0);
    let seed = 1 + paths.length * 10;
    let total = 0;
    for (const [batch, [point, times]] of allOr(FEW, POINTS).entries()) {
      const added = await writeMedia(join(folder, `batch-${batch}`), 4, seed);
      seed += 10;
      total += added.paths.length;
      const form = formOf({ s3_uri: join(folder, `batch-${batch}`) });
      await home().dieAt(`${point}:${times}`, () => api.must(202, 'POST', `/api/v1/dataset/${id}/add_media`, form));
      const trendOf = (view: string): Promise<Trend> =>
        api.must(200, 'GET', `/api/v1/dataset/${id}/views/${view}/trend`);
      for (const view of views) {
        await waitUntil(async () => (await trendOf(view)).points.length > batch);
        const { points } = await trendOf(view);
        expect(points).toHaveLength(batch + 1);
        expect(new Set(points.map((each) => each.batch_id)).size).toBe(batch + 1);
        expect(points.at(-1)).toMatchObject({ count: added.paths.length, cumulative: total });
      }
      await waitUntil(async () => (await home().query(FEEDING)).length === 0);
      const inQueue = (await queue.items('?limit=1000')).map((item) => item.media_id);
      expect(new Set(inQueue).size).toBe(paths.length + total);
      expect(await queue.progress()).toMatchObject({ n_items: paths.length + total, n_left: paths.length + total });
      const told = await api.must<Notifications>(200, 'GET', '/api/v1/notifications');
      expect({ point, told: told.total }).toEqual({ point, told: (batch + 1) * (ALONE + 1) });
      expect(told.notifications[0]!.message).toContain(`${VIEWS - ALONE - 1} more views have new matches`);
    }
  }, 300_000);
});
