import { Additions } from '../../support/additions';
import type { ApiClient } from '../../support/api-client';
import { HistoryClient } from '../../support/history-client';
import { SourceClient, type ListedAnnotation } from '../../support/source-client';
import { sameInstallation, startTestApp, type TestApp } from '../../support/test-app';

const PAIRS = Number(process.env['RACES'] ?? 40);
const AT_ONCE = 10;
const SOURCE = 'raced';

interface Refusal {
  readonly conflicts: readonly { readonly id: string; readonly current: ListedAnnotation }[];
}

/** Two processes that share a database: what meets in one of them is published together, what meets in two is decided by Postgres. */
describe(`${PAIRS} pairs of edits that race`, () => {
  let programs: readonly TestApp[];
  let apis: readonly ApiClient[];
  let sources: SourceClient;
  let history: HistoryClient;

  beforeAll(async () => {
    const first = await startTestApp();
    programs = [first, await startTestApp(sameInstallation(first))];
    const [one, other] = programs.map((program) => new Additions(program));
    apis = [one!.api, other!.api];
    const dataset = await one!.indexed('Raced', await one!.writeFolder('Pictures', [0, 1]));
    sources = new SourceClient(one!.api, dataset);
    history = new HistoryClient(other!.api, dataset);
  });

  afterAll(async () => {
    for (const program of programs.toReversed()) await program.close();
  });

  const annotation = async (id: string): Promise<ListedAnnotation> =>
    (await sources.list(`?source=${SOURCE}&limit=1000`)).annotations.find((each) => each.id === id)!;

  /** Two people change what they have both seen. Returns which of them won. */
  const race = async (pair: number): Promise<number> => {
    const id = `pair ${pair}`;
    const { version } = await annotation(id);
    const labels = [`${id} of ana`, `${id} of ben`];
    const answers = await Promise.all(
      labels.map((label, at) =>
        // Every other pair meets in one process.
        apis[at * (pair % 2)]!.ask('POST', sources.path(), {
          ...{ source: SOURCE, mode: 'merge' },
          annotations: [{ file_name: `${pair % 2}.jpg`, id, label, version }],
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.findIndex(({ status }) => status === 200);
    const { conflicts } = answers[1 - winner]!.body as Refusal;
    const stored = await annotation(id);
    expect(conflicts).toEqual([{ media_id: stored.media_id, id, sent_version: version, current: stored }]);
    expect(stored.label).toBe(labels[winner]);
    return winner;
  };

  it('have one winner each, and the other is told what is stored', async () => {
    const ids = Array.from({ length: PAIRS }, (_, pair) => pair);
    const annotations = ids.map((pair) => ({ file_name: `${pair % 2}.jpg`, id: `pair ${pair}`, label: 'seen' }));
    await sources.send({ source: SOURCE, annotations });
    const winners: number[] = [];
    for (let start = 0; start < PAIRS; start += AT_ONCE)
      winners.push(...(await Promise.all(ids.slice(start, start + AT_ONCE).map(race))));
    const labels = (await sources.list(`?source=${SOURCE}&limit=1000`)).annotations.map(({ label }) => label);
    const won = winners.map((winner, pair) => `pair ${pair} of ${['ana', 'ben'][winner]}`);
    expect(labels.toSorted()).toEqual(won.toSorted());
    // Nothing of those who lost is in the history.
    let changed = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await history.page(`?source=${SOURCE}&limit=100${cursor && `&cursor=${cursor}`}`);
      changed += page.changes.reduce((sum, change) => sum + change.changed, 0);
      cursor = page.next_cursor;
    }
    expect(changed).toBe(PAIRS);
  });
});
