import { join } from 'node:path';
import { formOf } from '../support/api-client';
import { EvaluationClient } from '../support/evaluation-client';
import { SourceClient } from '../support/source-client';
import { writePicture } from '../support/pictures';
import { runningHome } from '../support/running-home';
import { waitUntil } from '../support/wait-until';
import { allOr, EVALUATION_FAILPOINTS, FLIPPING, VIEW_FAILPOINTS } from './failpoints';
import { sweepAll } from './unreferenced';

const PICTURES = 6;

const EVALUATING = "SELECT 1 FROM job_run WHERE type IN ('evaluate-views', 'resume-views') AND finished_at IS NULL";
const WAITING_FAILPOINTS = [...FLIPPING, ...VIEW_FAILPOINTS.filter((point) => point !== 'queue-fed')];

const annotations = Array.from({ length: PICTURES }, (_, at) => ({
  file_name: `${at}.jpg`,
  label: 'cat',
  shape: { type: 'box', x: 10, y: 10, width: 40, height: 30 + at },
}));

describe('the program, killed at a failpoint of an evaluation', () => {
  const home = runningHome();
  let dataset: string;

  beforeAll(async () => {
    dataset = await home().indexed('Killed', PICTURES);
    const sources = new SourceClient(home().api, dataset);
    await sources.send({ source: 'careful', annotations });
    await sources.send({ source: 'quick', annotations: annotations.slice(1) });
  });

  it('counts the batch of a view that waited for it once', async () => {
    const { id } = await new EvaluationClient(home().api, dataset).completed({
      truth: 'careful',
      predictions: 'quick',
    });
    const vql = JSON.stringify([{ evaluation: { op: 'is', value: ['fn'], evaluation: id } }]);
    const views = `/api/v1/dataset/${dataset}/views`;
    const { id: view } = await home().api.must<{ id: string }>(
      200,
      'POST',
      `${views}?${new URLSearchParams({ vql }).toString()}`,
      formOf({ name: 'Missed' }),
    );
    const sources = () => new SourceClient(home().api, dataset);
    for (const [nth, failpoint] of allOr(['after-flip', 'view-recorded'], WAITING_FAILPOINTS).entries()) {
      const [folder, file] = [join(home().folder, failpoint), `${failpoint}.jpg`];
      await writePicture(join(folder, file), 100 + nth);
      await home().api.must(202, 'POST', `/api/v1/dataset/${dataset}/add_media`, formOf({ s3_uri: folder }));
      const waiting = 'SELECT 1 FROM view_evaluation WHERE waits_for IS NOT NULL';
      await waitUntil(
        async () => (await home().query(waiting)).length === 1 && (await home().query(EVALUATING)).length === 0,
      );
      await sources().send({ source: 'careful', annotations: [{ ...annotations[0], file_name: file }] });
      await home().dieAt(failpoint, (api) => new EvaluationClient(api, dataset).runAgain(id));
      await waitUntil(
        async () => (await home().query(waiting)).length === 0 && (await home().query(EVALUATING)).length === 0,
      );
      const { points } = await home().api.must<{ points: { count: number }[] }>(200, 'GET', `${views}/${view}/trend`);
      expect([failpoint, points.map(({ count }) => count)]).toEqual([failpoint, Array(nth + 1).fill(1)]);
      const told = await home().api.must<{ total: number }>(200, 'GET', '/api/v1/notifications');
      expect([failpoint, told.total]).toEqual([failpoint, nth + 1]);
    }
  }, 240_000);

  it('has one whole result after each, and no file of outcomes is left', async () => {
    const asked = { truth: 'careful', predictions: 'quick' };
    const known = await new EvaluationClient(home().api, dataset).completed(asked);
    for (const failpoint of allOr(['comparison-begun', 'outcomes-written'], EVALUATION_FAILPOINTS)) {
      await home().dieAt(failpoint, (api) => new EvaluationClient(api, dataset).start(asked));
      const evaluations = new EvaluationClient(home().api, dataset);
      const { id } = (await evaluations.list())[0]!;
      const { status, metrics, per_class: perClass } = await evaluations.untilOver(id);
      const { metrics: expected, per_class: expectedOfClasses } = known;
      expect([failpoint, status, metrics, perClass]).toEqual([failpoint, 'COMPLETED', expected, expectedOfClasses]);
      await home().dieAt(failpoint, (api) => new EvaluationClient(api, dataset).runAgain(id));
      const again = await new EvaluationClient(home().api, dataset).untilOver(id);
      expect([failpoint, again.status, again.metrics]).toEqual([failpoint, 'COMPLETED', metrics]);
    }
    await home().kill();
    const { needed, found } = await sweepAll(home().dataDir, { DATABASE_URL: home().databaseUrl });
    expect(found).toEqual(needed);
    expect(needed.evaluations.length).toBeGreaterThan(2);
  }, 240_000);
});
