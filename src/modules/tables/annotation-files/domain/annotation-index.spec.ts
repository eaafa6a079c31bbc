import { AnnotationIndex, MOST_BOXES_OF_A_PICTURE } from './annotation-index';
import { limitWarnings } from './read-annotations';

describe('boxes of a picture', () => {
  it('are limited to 5,000, with a warning that counts the pictures with more', () => {
    const index = new AnnotationIndex();
    const box = { x: 1, y: 1, width: 2, height: 2 };
    for (const [path, more] of [
      ['full.jpg', 0],
      ['a.jpg', 1],
      ['./b.jpg', 1000],
    ] as const)
      for (let at = 0; at < MOST_BOXES_OF_A_PICTURE + more; at += 1) index.addObject(path, box, 'cat');
    for (const path of ['full.jpg', 'a.jpg', 'b.jpg']) expect(index.get(path)?.objects).toHaveLength(5_000);
    expect(limitWarnings(index)).toEqual(['2 pictures have more than 5,000 boxes: those beyond are left out.']);
  });
});
