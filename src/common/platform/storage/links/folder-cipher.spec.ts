import fc from 'fast-check';
import { FolderCipher } from './url-signer';

const cipher = new FolderCipher(Buffer.alloc(32, 1));

describe('FolderCipher', () => {
  it('opens the folders that it sealed, and reveals nothing about them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (folder) => {
        const sealed = cipher.seal(folder);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(new FolderCipher(Buffer.alloc(32, 1)).open(sealed)).toBe(folder);
      }),
    );
    expect(cipher.seal('/srv/photos')).not.toBe(cipher.seal('/srv/photos/a'));
    expect(cipher.seal('/srv/photos')).toBe(cipher.seal('/srv/photos'));
  });

  it('rejects all other texts', () => {
    const sealed = cipher.seal('/srv/photos');
    const changed = Buffer.from(sealed, 'base64url');
    changed[20]! ^= 1;
    for (const text of ['', 'srv', sealed.slice(0, -2), `${sealed}AA`, changed.toString('base64url')])
      expect(cipher.open(text)).toBeUndefined();
    expect(new FolderCipher(Buffer.alloc(32, 2)).open(sealed)).toBeUndefined();
  });
});
