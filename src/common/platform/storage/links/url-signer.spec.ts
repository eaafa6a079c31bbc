import fc from 'fast-check';
import { signedMediaUrl, UrlSigner } from './url-signer';

const HOUR = 3600;
let now = 1_800_000_000_500;
const signer = new UrlSigner(Buffer.alloc(32, 1), () => now);

beforeEach(() => {
  now = 1_800_000_000_500;
});

describe('UrlSigner', () => {
  it('accepts URLs that it signed, with any path and parameters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.constantFrom('contentType', 'downloadName'), fc.string({ unit: 'grapheme' })),
        (path, named) => {
          const query = new URLSearchParams(signer.sign(path, { expiresInSeconds: HOUR, ...named }));
          expect(signer.verify(path, query)).toBe('valid');
        },
      ),
    );
  });

  it.each<[string, (query: URLSearchParams) => void]>([
    ['another expiry', (query) => query.set('expires', '9999999999')],
    ['another type', (query) => query.set('type', 'text/html')],
    ['a parameter more', (query) => query.set('name', 'x.html')],
    ['a parameter twice', (query) => query.append('type', 'text/html')],
    ['a parameter less', (query) => query.delete('type')],
    ['another signature', (query) => query.set('signature', 'A'.repeat(43))],
    ['an empty signature', (query) => query.set('signature', '')],
    ['no signature', (query) => query.delete('signature')],
  ])('refuses %s', (_name, change) => {
    const query = new URLSearchParams(
      signer.sign('store/a.jpg', { expiresInSeconds: HOUR, contentType: 'image/jpeg' }),
    );
    change(query);
    expect(signer.verify('store/a.jpg', query)).toBe('wrong');
  });

  it('rejects another path and another key', () => {
    const query = new URLSearchParams(signer.sign('store/a.jpg', { expiresInSeconds: HOUR }));
    expect(signer.verify('store/b.jpg', query)).toBe('wrong');
    expect(signer.verify('file/a.jpg', query)).toBe('wrong');
    expect(new UrlSigner(Buffer.alloc(32, 2), () => now).verify('store/a.jpg', query)).toBe('wrong');
  });

  it('accepts URLs signed with the accepted key', () => {
    const theirs = new UrlSigner(Buffer.alloc(32, 2), () => now);
    const both = new UrlSigner(Buffer.alloc(32, 1), () => now, theirs);
    for (const [by, verdict] of [
      [signer, 'valid'],
      [theirs, 'valid'],
      [new UrlSigner(Buffer.alloc(32, 3), () => now), 'wrong'],
    ] as const) {
      const path = by.pathOf({ kind: 'file', path: '/photos/a.jpg' });
      expect(both.verify(path, new URLSearchParams(by.sign(path, { expiresInSeconds: HOUR })))).toBe(verdict);
      const target = both.linkOf('file', path.slice('file/'.length));
      expect(target?.path).toBe(verdict === 'valid' ? '/photos/a.jpg' : undefined);
    }
    const query = new URLSearchParams(both.sign('store/a.jpg', { expiresInSeconds: HOUR }));
    expect(signer.verify('store/a.jpg', query)).toBe('valid');
    const old = new URLSearchParams(theirs.sign('store/a.jpg', { expiresInSeconds: 0 }));
    expect(both.verify('store/a.jpg', old)).toBe('expired');
  });

  it('gives a URL at most the requested lifetime, and at least three quarters of it', () => {
    const from = now;
    for (let minute = 0; minute < 60; minute++) {
      now = from + minute * 60_000;
      const query = new URLSearchParams(signer.sign('store/a.jpg', { expiresInSeconds: HOUR }));
      now += (HOUR * 0.75 - 1) * 1000;
      expect(signer.verify('store/a.jpg', query)).toBe('valid');
      now += (HOUR * 0.25 + 1) * 1000;
      expect(signer.verify('store/a.jpg', query)).toBe('expired');
    }
  });

  it('returns the same URL for repeated requests within a period', () => {
    const first = signer.sign('store/a.jpg', { expiresInSeconds: HOUR });
    now += 1000;
    expect(signer.sign('store/a.jpg', { expiresInSeconds: HOUR })).toBe(first);
  });
});

describe('signedMediaUrl', () => {
  it.each([
    { kind: 'file', path: '/srv/secret-folder/a.jpg' },
    { kind: 'file', path: '/a.jpg' },
    { kind: 's3', path: 'arn%3Asecret-role@secret-bucket/secret-folder/a.jpg' },
    { kind: 's3', path: 'secret-role@secret-bucket/a.jpg' },
  ] as const)('hides the location of $path', (link) => {
    const url = new URL(signedMediaUrl(signer, 'https://media.example.com', link, { expiresInSeconds: HOUR }));
    expect(url.href).not.toMatch(/secret|srv/);
    const [, , , , kind, ...path] = url.pathname.split('/');
    expect(signer.linkOf(kind!, path.join('/'))).toEqual(link);
    expect(signer.linkOf(kind!, link.path)).toBeUndefined();
  });

  it('encodes each part of the path, and signs type and name', () => {
    const url = new URL(
      signedMediaUrl(
        signer,
        'https://media.example.com/base',
        { kind: 'file', path: '/data/a b/50%?#\n.jpg' },
        { expiresInSeconds: 60, contentType: 'image/png', downloadName: 'ü.png' },
      ),
    );
    expect(url.pathname).toMatch(/^\/base\/api\/v1\/media\/file\/[\w-]+\/50%25%3F%23%0A\.jpg$/);
    expect(url.searchParams.get('type')).toBe('image/png');
    const [folder] = url.pathname.split('/').slice(-2);
    expect(signer.verify(`file/${folder}/50%?#\n.jpg`, url.searchParams)).toBe('valid');
    expect(signer.linkOf('file', `${folder}/50%?#\n.jpg`)).toEqual({ kind: 'file', path: '/data/a b/50%?#\n.jpg' });
  });
});
