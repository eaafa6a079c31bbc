import { readLeftUploads } from './left-uploads';

describe('uploads that a page has left', () => {
  it('are read as they were noted', () => {
    const upload = { kind: 'creation', name: 'Boats', done: 1, total: 3 };
    expect(readLeftUploads(JSON.stringify([upload]))).toEqual([upload]);
    expect(readLeftUploads(null)).toEqual([]);
  });

  it('are none of what something else has left there', () => {
    expect(readLeftUploads('{')).toEqual([]);
    expect(readLeftUploads('{"kind":"creation"}')).toEqual([]);
    expect(readLeftUploads('[null, 1, {"kind":"other","name":"a","done":0,"total":1}]')).toEqual([]);
  });
});
