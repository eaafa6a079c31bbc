import { hasOwnHost, isCrossSite } from './cross-site';

const BASE = 'https://media.example.com';

describe('a request for the sake of another site', () => {
  it.each([
    ['cross-site', true],
    ['same-site', true],
    ['same-origin', false],
    ['none', false],
    ['nonsense', true],
  ])('says Sec-Fetch-Site: %s', (site, expected) => {
    expect(isCrossSite({ 'sec-fetch-site': site }, BASE)).toBe(expected);
    expect(isCrossSite({ 'sec-fetch-site': site, origin: BASE }, BASE)).toBe(expected);
  });

  it.each([
    [undefined, false],
    [BASE, false],
    ['https://media.example.com:443', false],
    ['http://inside:3000', true],
    ['https://evil.example.com', true],
    ['https://media.example.com.evil.example', true],
    ['http://media.example.com', true],
    ['https://media.example.com:8443', true],
    ['null', true],
    ['', true],
  ])('or comes from %s, if the browser sends only the origin', (origin, expected) => {
    const headers = { host: 'inside:3000', ...(origin === undefined ? {} : { origin }) };
    expect(isCrossSite(headers, BASE)).toBe(expected);
  });

  it('is not cross-site if a service without BASE_URL is addressed by its own host name', () => {
    const own = { host: 'box.lan:3000', origin: 'http://box.lan:3000' };
    expect(isCrossSite(own, 'http://0.0.0.0:3000')).toBe(false);
    expect(isCrossSite({ ...own, origin: 'http://other.lan:3000' }, 'http://0.0.0.0:3000')).toBe(true);
  });
});

describe('the host name of a request to a loopback service', () => {
  it.each([
    ['127.0.0.1:3000', true],
    ['localhost', true],
    ['[::1]:3000', true],
    ['media.example.com', true],
    ['rebound.evil.example:3000', false],
    ['127.0.0.1.evil.example', false],
    ['localhost.evil.example', false],
    ['', false],
    [undefined, false],
  ])('may be %s: %s', (host, expected) => {
    expect(hasOwnHost(host === undefined ? {} : { host }, BASE)).toBe(expected);
  });
});
