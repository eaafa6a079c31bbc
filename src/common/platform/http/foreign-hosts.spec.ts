import { mayAsk } from './foreign-hosts';

const HOSTS = ['media.example.com', 'box.lan'];

describe('the host name of a request', () => {
  it.each([
    ['127.0.0.1:3000', true],
    ['localhost', true],
    ['[::1]:3000', true],
    ['media.example.com', true],
    ['BOX.lan:3000', true],
    ['rebound.evil.example:3000', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['10.1.2.3:3000', false],
    ['[fd00::7]:3000', false],
    ['', false],
    [undefined, false],
  ])('may be %s: %s', (host, expected) => {
    expect(mayAsk(host, '/api/v1/datasets', HOSTS)).toBe(expected);
  });

  it.each(['/health/live', '/health/ready', '/metrics', '/api/v1/process', '/api/v1/process/a'])(
    'may be any IP address, but no name, for %s',
    (path) => {
      expect(mayAsk('10.1.2.3:3000', path, HOSTS)).toBe(true);
      expect(mayAsk('[fd00::7]:3000', path, HOSTS)).toBe(true);
      expect(mayAsk('rebound.evil.example', path, HOSTS)).toBe(false);
    },
  );
});
