import { EvaluationClient } from '../support/evaluation-client';
import { SourceClient } from '../support/source-client';
import { runningHome } from '../support/running-home';
import { allOr, EVALUATION_FAILPOINTS } from './failpoints';
import { sweepAll } from './unreferenced';

const PICTURES = 6;

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
