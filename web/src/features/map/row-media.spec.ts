import { RowMedia } from './row-media';

function service() {
  const asked: (readonly number[])[] = [];
  const failures: unknown[] = [];
  let isAway = false;
  const media = new RowMedia(
    (rows) => {
      asked.push(rows);
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve(rows.map((row) => ({ row, name: `${row}` })));
    },
    (error) => failures.push(error),
  );
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return { asked, failures, media, settle, setAway: (next: boolean) => (isAway = next) };
}

describe('media of rows', () => {
  it('are requested once, at most a hundred at a time', async () => {
    const { asked, media, settle } = service();
    media.want(Array.from({ length: 250 }, (_, row) => row));
    media.want([3, 4]);
    await settle();
    media.want([5]);
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(media.at(249)).toEqual({ row: 249, name: '249' });
    expect(media.at(250)).toBeUndefined();
  });

  it('notify when they are loaded', async () => {
    const { media, settle } = service();
    const heard: number[] = [];
    const end = media.subscribe(() => heard.push(media.state()));
    media.want([1]);
    await settle();
    end();
    media.want([2]);
    await settle();
    expect(heard).toEqual([1]);
  });

  it('are requested again after a failure', async () => {
    const { asked, failures, media, settle, setAway } = service();
    setAway(true);
    media.want([1]);
    await settle();
    setAway(false);
    media.want([1]);
    await settle();
    expect(asked).toEqual([[1], [1]]);
    expect(failures).toHaveLength(1);
    expect(media.at(1)).toBeDefined();
  });
});
