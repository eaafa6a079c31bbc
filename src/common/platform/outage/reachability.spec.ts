import { waitUntil } from '../../../../test/support/wait-until';
import { ObjectStoreOutageError } from './outage';
import { Reachability } from './reachability';

describe('the reachability of a part', () => {
  const outage = new ObjectStoreOutageError('connect ECONNREFUSED 127.0.0.1:9000');
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  const log = { log: note, warn: note };

  beforeEach(() => void (lines.length = 0));

  it('logs one line when the outage begins and one when it ends, regardless of the number of callers', async () => {
    let isAway = true;
    const part = new Reachability(
      'The object store',
      () => (isAway ? Promise.reject(new Error('refused')) : Promise.resolve()),
      log,
      1,
    );
    part.assertUp();
    for (let each = 0; each < 50; each++) part.reportFailure(outage);
    await waitUntil(() => lines.length === 1);
    for (let each = 0; each < 50; each++) part.reportFailure(outage);
    expect(() => part.assertUp()).toThrow(outage);
    isAway = false;
    await waitUntil(() => lines.length === 2);
    part.assertUp();
    expect(lines).toEqual([
      'The object store is not reachable: connect ECONNREFUSED 127.0.0.1:9000',
      'The object store is reachable again, after 0 s',
    ]);
  });

  it('is not affected by a call that failed by itself', async () => {
    let asked = 0;
    const part = new Reachability('The object store', () => Promise.resolve(++asked), log);
    part.reportFailure(outage);
    await waitUntil(() => asked === 1);
    part.assertUp();
    expect(lines).toEqual([]);
  });
});
