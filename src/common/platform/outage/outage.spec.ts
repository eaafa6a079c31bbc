import { UnrecoverableError, DiskFullError, isUnrecoverable, ObjectStoreOutageError, outageOf } from './outage';

class MissingError extends UnrecoverableError {}

describe('finding the outage behind an error', () => {
  const away = new ObjectStoreOutageError('connect ECONNREFUSED');

  it.each([
    ['itself', away],
    ['its cause', new Error('the table could not be read', { cause: new Error('the file', { cause: away }) })],
    ['what TypeORM wraps', Object.assign(new Error('the query failed'), { driverError: away })],
  ])('is found in %s', (_name, error) => expect(outageOf(error)).toBe(away));

  it.each(['ENOSPC', 'EDQUOT'])('is a full disk after %s', (code) =>
    expect(outageOf(Object.assign(new Error('write'), { code }))).toBeInstanceOf(DiskFullError),
  );

  it.each([new Error('cut short'), new MissingError('gone'), 'text', null, undefined])('is not in %p', (error) =>
    expect(outageOf(error)).toBeUndefined(),
  );

  it('terminates if the chain of causes is circular', () => {
    const circle = new Error('first');
    circle.cause = new Error('second', { cause: circle });
    expect(outageOf(circle)).toBeUndefined();
    expect(isUnrecoverable(circle)).toBe(false);
  });

  it('recognises unrecoverable errors', () => {
    expect(isUnrecoverable(new Error('the export', { cause: new MissingError('gone') }))).toBe(true);
    expect(isUnrecoverable(away)).toBe(false);
  });
});
