import type { PathFile } from './picked-files';
import { batchCount, firstBatch, isArchive, refusedLike, refusedOf, withMore } from './upload-rules';

const file = (path: string, bytes = 1): PathFile => ({ path, file: new File([new Uint8Array(bytes)], path) });
const pathsOf = (files: readonly PathFile[]): string[] => files.map(({ path }) => path);
const FILES = [file('a.jpg', 4), file('b.jpg', 4), file('c.jpg', 40), file('d.jpg', 4), file('e.jpg', 4)];

describe('batches of an upload', () => {
  it('are limited by files and by bytes', () => {
    expect(pathsOf(firstBatch(FILES, { files: 2, bytes: 1000 }))).toEqual(['a.jpg', 'b.jpg']);
    expect(pathsOf(firstBatch(FILES, { files: 9, bytes: 10 }))).toEqual(['a.jpg', 'b.jpg']);
    expect(firstBatch(FILES, { files: 9, bytes: 1000 })).toHaveLength(5);
  });

  it('contain a file above the limit alone', () => {
    expect(pathsOf(firstBatch(FILES.slice(2), { files: 9, bytes: 10 }))).toEqual(['c.jpg']);
    expect(batchCount(FILES, { files: 9, bytes: 10 })).toBe(3);
  });

  it('are empty without files', () => {
    expect(firstBatch([], { files: 2, bytes: 10 })).toEqual([]);
    expect(batchCount([], { files: 2, bytes: 10 })).toBe(0);
  });
});

describe('a refused file', () => {
  const batch = [file('b.txt'), file('a/b.txt'), file('c.jpg')];

  it('is the one named by the error, by the longest path', () => {
    expect(refusedOf(batch, 'Unsupported file format: a/b.txt')?.path).toBe('a/b.txt');
    expect(refusedOf(batch, 'Unsupported file format: b.txt')?.path).toBe('b.txt');
  });

  it('is the only one of a batch, and unknown in larger batches if the error names none', () => {
    expect(refusedOf(batch.slice(2), 'Too large')?.path).toBe('c.jpg');
    expect(refusedOf(batch, 'Too large')).toBeUndefined();
  });

  it('applies to all files of the same unsupported format', () => {
    const [first, ...rest] = [file('x.DOCX'), file('in.docx/a.jpg'), file('y.docx'), file('z')] as const;
    expect(pathsOf(refusedLike(first, 'Unsupported file format: x.DOCX', rest))).toEqual(['y.docx']);
    expect(refusedLike(first, 'x.DOCX is too large', rest)).toEqual([]);
  });
});

describe('chosen files', () => {
  it('are added to those chosen before, each path once', () => {
    const again = file('a.jpg', 7);
    const all = withMore([file('a.jpg'), file('b.jpg')], [again, file('c.jpg')]);
    expect(pathsOf(all)).toEqual(['a.jpg', 'b.jpg', 'c.jpg']);
    expect(all[0]).toBe(again);
  });

  it.each(['a.zip', 'A.ZIP', 'b.tar', 'c.tar.gz', 'd.tgz'])('recognise an archive: %s', (name) => {
    expect(isArchive(file(name))).toBe(true);
  });

  it.each(['a.gz', 'zip', 'a.zip.jpg', 'tar.jpg'])('do not recognise an archive: %s', (name) => {
    expect(isArchive(file(name))).toBe(false);
  });
});
