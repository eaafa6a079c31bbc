import { askingSite } from './cross-site';

const BASE = 'https://media.example.com';

describe('the site that initiated a request', () => {
  it.each([
    ['cross-site', 'other'],
    ['same-site', 'other'],
    ['same-origin', 'own'],
    ['none', 'own'],
    ['nonsense', 'other'],
  ])('is derived from Sec-Fetch-Site: %s', (site, expected) => {
    expect(askingSite({ 'sec-fetch-site': site }, BASE)).toBe(expected);
    expect(askingSite({ 'sec-fetch-site': site, origin: BASE }, BASE)).toBe(expected);
  });

  it.each([
    [undefined, 'untold'],
    [BASE, 'own'],
    ['https://media.example.com:443', 'own'],
    ['http://inside:3000', 'other'],
    ['https://evil.example.com', 'other'],
    ['https://media.example.com.evil.example', 'other'],
    ['http://media.example.com', 'other'],
    ['https://media.example.com:8443', 'other'],
    ['null', 'other'],
    ['', 'other'],
  ])('is derived from the origin or referrer %s if the browser sends no Sec-Fetch-Site', (origin, expected) => {
    const headers = { host: 'inside:3000', ...(origin === undefined ? {} : { origin }) };
    expect(askingSite(headers, BASE)).toBe(expected);
    if (origin === undefined) return;
    expect(askingSite({ host: 'inside:3000', referer: origin === '' ? '' : `${origin}/page` }, BASE)).toBe(expected);
    expect(askingSite({ ...headers, referer: `${BASE}/page` }, BASE)).toBe(expected);
  });

  it('is the service itself if a page addresses it by its host name and BASE_URL is not set', () => {
    const own = { host: 'box.lan:3000', origin: 'http://box.lan:3000' };
    expect(askingSite(own, 'http://0.0.0.0:3000')).toBe('own');
    expect(askingSite({ ...own, origin: 'http://other.lan:3000' }, 'http://0.0.0.0:3000')).toBe('other');
  });
});
