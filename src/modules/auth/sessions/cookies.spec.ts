import type { Request } from 'express';
import { cookieOptions, readCookie } from './session.authenticator';

const asking = (cookie?: string): Request => ({ headers: { cookie } }) as unknown as Request;

describe('cookies', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['SESSION', undefined],
    ['SESSION=', undefined],
    ['session=a; XSESSION=b; SESSIONX=c', undefined],
    ['SESSION=a', 'a'],
    ['first=1;SESSION=a==; SESSION=b', 'a=='],
    ['SESSION=; SESSION=b', 'b'],
  ])('of %j hold the session %j', (header, expected) => {
    expect(readCookie(asking(header), 'SESSION')).toBe(expected);
  });

  it.each([
    ['https://media.example.com', true],
    ['http://127.0.0.1:3000', false],
  ])('at %s are sent over TLS only: %s', (baseUrl, secure) => {
    expect(cookieOptions({ baseUrl })).toEqual({ httpOnly: true, sameSite: 'lax', path: '/', secure });
  });
});
