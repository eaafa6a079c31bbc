import { Writable } from 'node:stream';
import pino from 'pino';
import { stdSerializers } from 'pino-http';
import { QueryFailedError } from 'typeorm';
import { describeError } from './logging';

/** The log line of an error. */
function logged(error: unknown): string {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString();
      done();
    },
  });
  const serializers = { err: (given: Error) => describeError(stdSerializers.err(given)) };
  pino({ serializers }, stream).error({ err: error }, 'It failed');
  return text;
}

describe('an error in the log', () => {
  it('contains type, message, stack, code and causes', () => {
    const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E_OUTER' });
    expect(JSON.parse(logged(error))).toMatchObject({
      err: {
        type: 'TypeError',
        message: 'outer: inner',
        code: 'E_OUTER',
        stack: expect.stringContaining('describe-error.spec') as string,
      },
    });
  });

  it('omits the values of a query', () => {
    const failed = new QueryFailedError('INSERT INTO t VALUES ($1)', ['canary'], new Error('duplicate key'));
    expect(logged(failed)).toContain('duplicate key');
    expect(logged(failed)).not.toContain('canary');
    expect(logged(new AggregateError([failed], 'several'))).not.toContain('canary');
    expect(logged(new AggregateError([failed], 'several'))).toContain('duplicate key');
  });

  it('omits the requests and responses that libraries attach', () => {
    const error = Object.assign(new Error('refused'), {
      response: { body: 'canary' },
      options: { headers: { authorization: 'canary' } },
      errors: [Object.assign(new Error('one'), { token: 'canary' })],
    });
    expect(logged(error)).not.toContain('canary');
  });
});
