import { isOwnKey, taskOfWork } from './storage-keys';

const HASH = 'ab'.repeat(32);
const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('keys of the service', () => {
  it.each([
    `blobs/ab/${HASH}.jpg`,
    `blobs/ab/${HASH}`,
    `thumbs/ab/${HASH}.webp`,
    `thumbs/ab/${HASH}.2.webp`,
    `thumbs/ab/${HASH}-0123456789abcdef.2.webp`,
    `frames/${HASH}/output_000001.jpg`,
    `frames/${HASH}/720p/output_000001.jpg`,
    `staging/${ID}`,
    `staging/${ID}/${ID}`,
    `work/${ID}/files-1.ndjson`,
    `tables/${ID}.lance/data/x.lance`,
    `edges/${ID}/7.arrow`,
    `keys/${ID}/7.bin`,
    '.installation.json',
    `tags/${ID}.arrow`,
  ])('are recognised: %s', (key) => {
    expect(isOwnKey(key)).toBe(true);
  });

  it.each([
    'frames/camera-1/0001.jpg',
    'blobs/holiday.jpg',
    `blobs/cd/${HASH}.jpg`,
    `thumbs/ab/${HASH}.jpg`,
    `photos/blobs/ab/${HASH}.jpg`,
    'work/drafts/a.jpg',
    'staging/a.jpg',
    `staging/${ID}/a.jpg`,
    `work/${ID}`,
  ])("are not those of others' files: %s", (key) => {
    expect(isOwnKey(key)).toBe(false);
  });

  it('contain the id of their task', () => {
    expect(taskOfWork(`work/${ID}/1-0.arrow`)).toBe(ID);
    expect(taskOfWork('work/not-a-task/1-0.arrow')).toBeUndefined();
  });
});
