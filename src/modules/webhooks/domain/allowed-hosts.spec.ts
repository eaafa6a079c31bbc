import { AllowedHosts } from '../sending/webhook-addresses';

const hosts = new AllowedHosts([
  'Hooks.example.com',
  '*.Example.org',
  'inner:8080',
  '10.0.0.5',
  '[::1]:9000',
  'FD00:0::7',
  'bücher.example',
]);

describe('the hosts that webhooks may call', () => {
  it.each([
    ['https://hooks.example.com/x', 'named'],
    ['https://HOOKS.example.com.:8443/x', 'named'],
    ['https://hooks.example.com.evil.net/', 'none'],
    ['https://example.com/', 'none'],
    ['https://a.hooks.example.com/', 'none'],
    ['https://a.example.org/', 'matched'],
    ['https://a.b.example.org/', 'matched'],
    ['https://example.org/', 'none'],
    ['https://evilexample.org/', 'none'],
    ['http://inner:8080/', 'named'],
    ['http://inner/', 'none'],
    ['http://10.0.0.5/', 'named'],
    ['http://0xa000005/', 'named'],
    ['http://10.0.0.6/', 'none'],
    ['http://[::1]:9000/', 'named'],
    ['http://[::1]/', 'none'],
    ['http://[fd00:0::7]/', 'named'],
    ['https://hooks.example.com@evil.net/', 'none'],
    ['https://xn--bcher-kva.example/', 'named'],
  ])('%s: %s', (url, permission) => {
    expect(hosts.permissionFor(new URL(url))).toBe(permission);
  });

  it('are none if the list is empty', () => {
    expect(new AllowedHosts([]).permissionFor(new URL('http://localhost/'))).toBe('none');
  });

  it("may include the protocol's default port", () => {
    expect(new AllowedHosts(['a:443']).permissionFor(new URL('https://a/'))).toBe('named');
    expect(new AllowedHosts(['*.a:443']).permissionFor(new URL('https://b.a/'))).toBe('matched');
    expect(new AllowedHosts(['*.a:443']).permissionFor(new URL('http://b.a/'))).toBe('none');
  });
});
