import { BadRequestError } from '../errors/domain-error';
import {
  UnrecoverableError,
  isUnrecoverable,
  ObjectStoreOutageError,
  outageOf,
  deserializeError,
  serializeError,
} from './outage';

class RefusedError extends UnrecoverableError {}

describe('an error sent by a child process', () => {
  const heard = (error: unknown): Error => deserializeError(structuredClone(serializeError(error)));

  it('is still an outage', () => {
    const away = new ObjectStoreOutageError('connect ECONNREFUSED');
    const error = heard(new Error('The file could not be read.', { cause: away }));
    expect(error.message).toBe('The file could not be read.');
    expect(outageOf(error)).toMatchObject({ awaited: away.awaited, detail: away.detail });
  });

  it('is still unrecoverable', () => {
    expect(isUnrecoverable(heard(new RefusedError('no such key')))).toBe(true);
    expect(isUnrecoverable(heard(new Error('cut short')))).toBe(false);
  });

  it('is still a refusal with its status', () => {
    const refused = new BadRequestError('The archive is cut short', 'at its end');
    expect(heard(refused)).toMatchObject({ status: 400, detail: refused.detail, reason: refused.reason });
  });

  it('keeps its code and its message', () => {
    expect(heard(Object.assign(new Error('read'), { code: 'EIO' }))).toMatchObject({ message: 'read', code: 'EIO' });
    expect(outageOf(heard(new Error('cut short')))).toBeUndefined();
  });
});
