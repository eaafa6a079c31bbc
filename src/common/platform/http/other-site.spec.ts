import { isAskedByOwnName, isFromOtherSite } from './other-site';

const BASE = 'https://media.example.com';

describe('a request for the sake of another site', () => {
  it.each([
    ['cross-site', true],
    ['same-site', true],
    ['same-origin', false],
    ['none', false],
    ['nonsense', true],
  ])('says Sec-Fetch-Site: %s', (site, expected) => {
    expect(isFromOtherSite({ 'sec-fetch-site': site }, BASE)).toBe(expected);
    expect(isFromOtherSite({ 'sec-fetch-site': site, origin: BASE }, BASE)).toBe(expected);
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
  ])('or comes from %s, where a browser tells no more', (origin, expected) => {
    const headers = { host: 'inside:3000', ...(origin === undefined ? {} : { origin }) };
    expect(isFromOtherSite(headers, BASE)).toBe(expected);
  });

  it('does not, where a service without an address of its own is asked by the name it is called', () => {
    const own = { host: 'box.lan:3000', origin: 'http://box.lan:3000' };
    expect(isFromOtherSite(own, 'http://0.0.0.0:3000')).toBe(false);
    expect(isFromOtherSite({ ...own, origin: 'http://other.lan:3000' }, 'http://0.0.0.0:3000')).toBe(true);
  });
});

describe('the name by which a service of this machine is asked', () => {
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
    expect(isAskedByOwnName(host === undefined ? {} : { host }, BASE)).toBe(expected);
  });
});
