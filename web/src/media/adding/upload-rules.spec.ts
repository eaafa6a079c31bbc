import type { PathFile } from './picked-files';
import { batchCount, firstBatch, isArchive, refusedLike, refusedOf, withMore } from './upload-rules';

const file = (path: string, bytes = 1): PathFile => ({ path, file: new File([new Uint8Array(bytes)], path) });
const pathsOf = (files: readonly PathFile[]): string[] => files.map(({ path }) => path);
const FILES = [file('a.jpg', 4), file('b.jpg', 4), file('c.jpg', 40), file('d.jpg', 4), file('e.jpg', 4)];

describe('the batches of an upload', () => {
  it('end at the limit of files or of bytes, whichever comes first', () => {
    expect(pathsOf(firstBatch(FILES, { files: 2, bytes: 1000 }))).toEqual(['a.jpg', 'b.jpg']);
    expect(pathsOf(firstBatch(FILES, { files: 9, bytes: 10 }))).toEqual(['a.jpg', 'b.jpg']);
    expect(firstBatch(FILES, { files: 9, bytes: 1000 })).toHaveLength(5);
  });

  it('have a file that is too large for any on its own', () => {
    expect(pathsOf(firstBatch(FILES.slice(2), { files: 9, bytes: 10 }))).toEqual(['c.jpg']);
    expect(batchCount(FILES, { files: 9, bytes: 10 })).toBe(3);
  });

  it('are none of no files', () => {
    expect(firstBatch([], { files: 2, bytes: 10 })).toEqual([]);
    expect(batchCount([], { files: 2, bytes: 10 })).toBe(0);
  });
});

describe('a refused file', () => {
  const batch = [file('b.txt'), file('a/b.txt'), file('c.jpg')];

  it('is the one that the error names, by its longest path', () => {
    expect(refusedOf(batch, 'Unsupported file format: a/b.txt')?.path).toBe('a/b.txt');
    expect(refusedOf(batch, 'Unsupported file format: b.txt')?.path).toBe('b.txt');
  });

  it('is the only one of a batch, and unknown in others that the error does not name', () => {
    expect(refusedOf(batch.slice(2), 'Too large')?.path).toBe('c.jpg');
    expect(refusedOf(batch, 'Too large')).toBeUndefined();
  });

  it('stands for those of the same unsupported format', () => {
    const [first, ...rest] = [file('x.DOCX'), file('in.docx/a.jpg'), file('y.docx'), file('z')] as const;
    expect(pathsOf(refusedLike(first, 'Unsupported file format: x.DOCX', rest))).toEqual(['y.docx']);
    expect(refusedLike(first, 'x.DOCX is too large', rest)).toEqual([]);
  });
});

describe('what was chosen', () => {
  it('is added to what was chosen before, each path once', () => {
    const again = file('a.jpg', 7);
    const all = withMore([file('a.jpg'), file('b.jpg')], [again, file('c.jpg')]);
    expect(pathsOf(all)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    expect(all[0]).toBe(again);
  });

  it.each(['a.zip', 'A.ZIP', 'b.tar', 'c.tar.gz', 'd.tgz'])('is an archive: %s', (name) => {
    expect(isArchive(file(name))).toBe(true);
  });

  it.each(['a.gz', 'zip', 'a.zip.jpg', 'tar.jpg'])('is no archive: %s', (name) => {
    expect(isArchive(file(name))).toBe(false);
  });
});
