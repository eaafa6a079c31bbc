import { withCallLimit } from '../../platform/outage/call-limit';
import { isUnrecoverable, ObjectStoreOutageError, OutageError, outageOf } from '../../platform/outage/outage';
import type { Reachability } from '../../platform/outage/reachability';
import { StoreFullError } from '../../platform/storage/object-store';
import { LanceCalls, lanceFailure } from './lance-calls';

const S3 = 'lance error: LanceError(IO): Generic S3 error: Error performing GET http://127.0.0.1:9/b/t in 1s';

describe('classification of Lance failures', () => {
  it.each([
    `${S3}, after 3 retries, max_retries: 3, retry_timeout: 180s  - HTTP error: error sending request, x.rs:1:2`,
    `${S3} - Server returned non-2xx status code: 503 Service Unavailable: busy`,
  ])('is an outage: %s', (message) =>
    expect(outageOf(lanceFailure(new Error(message), 's3://b'))).toBeInstanceOf(ObjectStoreOutageError),
  );

  it.each([
    `${S3} - Server returned non-2xx status code: 507 Insufficient Storage: <Code>XMinioStorageFull</Code>`,
    'LanceError(IO): No space left on device (os error 28)',
  ])('is a full store: %s', (message) =>
    expect(outageOf(lanceFailure(new Error(message), 's3://b'))).toEqual(new StoreFullError('s3://b')),
  );

  it('is unchanged if it is not recognised', () => {
    const error = new Error('lance error: Not found: a.lance');
    expect(lanceFailure(error, 's3://b')).toBe(error);
  });

  it.each([
    [
      'lance error: Not found: data/store/tables/0f8fad5b-d9cb-469f-a165-70867728950e.lance/data/1a.lance, /rustc/x.rs:1:2',
      '/data/1a.lance',
    ],
    [
      `${S3.replace('/b/t', '/b/tables/0f8fad5b-d9cb-469f-a165-70867728950e.lance/_versions/2.manifest')}: 404 Not Found`,
      '/_versions/2.manifest',
    ],
  ])('names the missing file of a table: %s', (message, file) => {
    const failure = lanceFailure(new Error(message), 's3://b');
    expect(isUnrecoverable(failure)).toBe(true);
    expect((failure as Error).message).toBe(
      `The file tables/0f8fad5b-d9cb-469f-a165-70867728950e.lance${file} is missing or damaged in the store. Restore it from a backup, or delete the dataset.`,
    );
  });

  it('is unrecoverable if the store refuses access', () =>
    expect(
      isUnrecoverable(
        lanceFailure(new Error(`${S3} - status code: 403 Forbidden: <Code>AccessDenied</Code>`), 's3://b'),
      ),
    ).toBe(true));
});

describe('reads by Lance', () => {
  const never = () => new Promise<never>(() => undefined);

  it('of large data continue after their caller timed out, and fail immediately during an outage of the store', async () => {
    const failures: unknown[] = [];
    const reachability = { assertUp: () => undefined, reportFailure: (failure: unknown) => failures.push(failure) };
    const calls = new LanceCalls('s3://b', reachability as unknown as Reachability, 10);
    const late = new OutageError('it', 'It is being read.', 'late');
    let finish: (read: string) => void = () => undefined;
    const reading = calls.withoutLimit(() => new Promise<string>((resolve) => (finish = resolve)));
    await expect(calls.awaitWhole(reading, () => late)).rejects.toBe(late);
    expect(failures).toEqual([]);
    const again = calls.awaitWhole(reading, () => late);
    finish('all');
    expect(await again).toBe('all');
    expect(await withCallLimit(0, () => calls.awaitWhole(reading, () => late))).toBe('all');
    await expect(
      calls.withoutLimit(() => Promise.reject(new Error(`${S3}: connection refused`))),
    ).rejects.toBeInstanceOf(ObjectStoreOutageError);
    expect(failures).toHaveLength(1);
  });

  it('time out after the limit, or after that of the surrounding work', async () => {
    const calls = new LanceCalls('s3://b', undefined, 5);
    await expect(calls.read(never)).rejects.toThrow('A table was not read within 0.005 s');
    await expect(withCallLimit(1, () => calls.read(never))).rejects.toThrow('A table was not read within 0.001 s');
  });

  it('are refused while too many abandoned reads are still running', async () => {
    const calls = new LanceCalls('s3://b', undefined, 1);
    const ends: (() => void)[] = [];
    const slow = () => new Promise<void>((resolve) => ends.push(resolve));
    await Promise.allSettled(Array.from({ length: 32 }, () => calls.read(slow)));
    await expect(calls.read(() => Promise.resolve())).rejects.toThrow('32 abandoned reads of tables have not ended');
    for (const end of ends) end();
    await Promise.resolve();
    await expect(calls.read(() => Promise.resolve('read'))).resolves.toBe('read');
  });
});
