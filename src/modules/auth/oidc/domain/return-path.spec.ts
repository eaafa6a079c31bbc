import { returnPath } from '../http/oidc.controller';

describe('the path after signing in', () => {
  it.each([
    '/',
    '/api/v1/datasets',
    '/explore?dataset=1&next=http://elsewhere.example',
    '/explore#https://elsewhere.example',
    '/a%2Fb',
    '/@name',
    '/größe',
  ])('is %s as requested', (asked) => expect(returnPath(asked)).toBe(asked));

  it.each([
    undefined,
    '',
    ['/a', '/b'],
    'explore',
    'https://evil.example',
    'HTTPS://evil.example/',
    'http:evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/a\r\nSet-Cookie: SESSION=mine',
    '/\u0000',
    '/\u007f',
    'javascript:alert(1)',
    'data:text/html,x',
    '?next=/',
    '@evil.example',
    '.evil.example',
    `/${'a'.repeat(2000)}`,
  ])('is the root for %j', (asked) => expect(returnPath(asked)).toBe('/'));

  it('stays on this service however a browser parses it', () => {
    for (const asked of ['/a//b', '/./x', '/../../x', '/;//x', '/%2F%2Fx', '/%5Cx', '/x:y@z', '/?//x', '/#//x'])
      expect(new URL(returnPath(asked), 'https://own.example').origin).toBe('https://own.example');
  });
});
