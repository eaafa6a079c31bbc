import { fileIdentity } from '../exclude-known';

const upload = { source: 'store:blobs/aa/aa.jpg', path: 'a.jpg', sha256: 'aa' };
const inFolder = { source: 'file:///media/a.jpg', path: 'a.jpg', sha256: 'aa' };

describe('identity of a file', () => {
  it('consists of bytes and path for an upload', () => {
    expect(fileIdentity(upload)).toBe(fileIdentity({ ...upload }));
    expect(fileIdentity(upload)).not.toBe(fileIdentity({ ...upload, path: 'b.jpg' }));
  });

  it('consists of bytes and location for a referenced file', () => {
    expect(fileIdentity(inFolder)).toBe(fileIdentity({ ...inFolder, path: 'media/a.jpg' }));
    expect(fileIdentity(inFolder)).not.toBe(fileIdentity({ ...inFolder, source: 'file:///media/b.jpg' }));
    expect(fileIdentity(inFolder)).not.toBe(fileIdentity({ ...inFolder, sha256: 'bb' }));
  });

  it('differs between an upload and a referenced file', () =>
    expect(fileIdentity(upload)).not.toBe(fileIdentity(inFolder)));
});
