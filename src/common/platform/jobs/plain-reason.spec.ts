import { plainReason } from './job-failure';

describe('the user-facing reason of a failure', () => {
  it.each([
    [
      'lance error: LanceError(IO): Object at location x.lance not found, /build/.cargo/registry/src/lance-io-0.30/src/object_reader.rs:123:45',
      'Object at location x.lance not found',
    ],
    [
      'Not found: a.lance, /rustc/6b00bc3880198600130e1cf62b8f8a93494488cc/library/core/src/option.rs:7:1',
      'Not found: a.lance',
    ],
    ['The file is cut (at /srv/app/node_modules/sharp/lib/input.js:12)', 'The file is cut (at)'],
    ['failed\n    at run (/srv/app/dist/x.js:1:2)', 'failed'],
    ['The store file:///data/store is full: make room or give it more, then try again', undefined],
  ])('removes source locations of libraries: %s', (message, plain) =>
    expect(plainReason(message)).toBe(plain ?? message),
  );

  it('has a default if nothing is left', () =>
    expect(plainReason('/rustc/abc/src/a.rs:1:2')).toBe('The job failed. See the log of the service for the reason.'));
});
