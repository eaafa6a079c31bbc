import { BrokenForGoodError, isBrokenForGood, ObjectStoreOutageError, outageOf } from './outage';
import { errorAsTold, tellError } from './told-error';

class RefusedError extends BrokenForGoodError {}

describe('an error that a child process tells', () => {
  const heard = (error: unknown): Error => errorAsTold(structuredClone(tellError(error)));

  it('is an outage still', () => {
    const away = new ObjectStoreOutageError('connect ECONNREFUSED');
    const error = heard(new Error('The file could not be read.', { cause: away }));
    expect(error.message).toBe('The file could not be read.');
    expect(outageOf(error)).toMatchObject({ awaited: away.awaited, detail: away.detail });
  });

  it('is broken for good still', () => {
    expect(isBrokenForGood(heard(new RefusedError('no such key')))).toBe(true);
    expect(isBrokenForGood(heard(new Error('cut short')))).toBe(false);
  });

  it('keeps its code and its message', () => {
    expect(heard(Object.assign(new Error('read'), { code: 'EIO' }))).toMatchObject({ message: 'read', code: 'EIO' });
    expect(outageOf(heard(new Error('cut short')))).toBeUndefined();
  });
});
