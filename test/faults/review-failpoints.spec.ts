import { ReviewClient } from '../support/review-client';
import { SourceClient } from '../support/source-client';
import { runningHome } from '../support/running-home';
import { SOURCE_FAILPOINTS } from './failpoints';

describe('the program, killed at a failpoint while an answer changes a source', () => {
  const home = runningHome();
  let id: string;

  beforeAll(async () => {
    id = await home().indexed('Reviewed', 3);
  });

  const EXPECTED = { 'annotations-written': false, 'annotations-published': true } as const;
  it.each(SOURCE_FAILPOINTS)('at %s, has the answer and its labels, or neither, and takes it again', async (point) => {
    const body = { name: point, query: { limit: 1 }, question: { type: 'labels' } };
    const made = await ReviewClient.make(home().api, id, body);
    const { item_id: item, media_id: media } = await made.one();
    const answer = { verdict: 'answer', labels: [point] };
    await home().dieAt(point, (api) => made.as(api).decide(item, answer));
    const queue = made.as(home().api);
    const isDone = EXPECTED[point];
    const labels = async (): Promise<string[]> => {
      const { annotations } = await new SourceClient(home().api, id).list(`?source=ground_truth&media_id=${media}`);
      return annotations.map(({ label }) => label);
    };
    expect((await labels()).includes(point)).toBe(isDone);
    expect(await queue.progress()).toMatchObject({ n_left: isDone ? 0 : 1, states: { done: isDone ? 1 : 0 } });
    if (!isDone) expect((await queue.one()).item_id).toBe(item);
    expect(await queue.decide(item, answer)).toMatchObject({ state: 'done' });
    expect(await labels()).toEqual([point]);
    expect(await queue.progress()).toMatchObject({ n_left: 0, people_figures: [{ answered: 1 }] });
  });
});
