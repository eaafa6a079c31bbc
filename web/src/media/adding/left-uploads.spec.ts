import { readLeftUploads } from './left-uploads';

describe('uploads left by a closed page', () => {
  it('are read as they were stored', () => {
    const upload = { kind: 'creation', name: 'Boats', done: 1, total: 3 };
    expect(readLeftUploads(JSON.stringify([upload]))).toEqual([upload]);
    expect(readLeftUploads(null)).toEqual([]);
  });

  it('do not include invalid entries in the storage', () => {
    expect(readLeftUploads('{')).toEqual([]);
    expect(readLeftUploads('{"kind":"creation"}')).toEqual([]);
    expect(readLeftUploads('[null, 1, {"kind":"other","name":"a","done":0,"total":1}]')).toEqual([]);
  });
});
