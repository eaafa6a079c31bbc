import { StoreFullError } from '../../../common/storage/object-store';
import { fullStoreSentence } from './full-store';

const URL = 'file:///data/store';
const SENTENCE = `The store ${URL} is full: make room or give it more, then try again`;

describe('a failure for want of room', () => {
  it.each([
    [new StoreFullError(URL)],
    [new Error(new StoreFullError(URL).message)],
    [
      new Error(
        'lance error: LanceError(IO): Unable to copy data to file: No space left on device (os error 28), x.rs:1',
      ),
    ],
    [{ message: 'No space left on device (os error 28)' }],
    [new Error('S3Error: XMinioStorageFull: Storage backend has reached its minimum free drive threshold')],
  ])('is told from others, whoever says it: %p', (error) => {
    expect(fullStoreSentence(error, URL)).toBe(SENTENCE);
  });

  it.each([[new Error('connection refused')], ['text'], [undefined]])('is not seen in %p', (error) => {
    expect(fullStoreSentence(error, URL)).toBeUndefined();
  });
});
