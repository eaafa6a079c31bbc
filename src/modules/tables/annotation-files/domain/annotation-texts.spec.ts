import { Readable } from 'node:stream';
import type { AnnotationFile, AnnotationFileName } from './annotation-file';
import { readAnnotations } from './read-annotations';

function file(name: AnnotationFileName, content: string): AnnotationFile {
  const bytes = Buffer.from(content);
  return { name, size: bytes.length, open: () => Promise.resolve(Readable.from([bytes])) };
}

describe('endless texts', () => {
  const text = 't'.repeat(65_537);
  const IMAGE = { id: 1, file_name: 'a.jpg' };
  const CATEGORY = { id: 1, name: 'cat' };

  it.each<[string, AnnotationFileName, string, string]>([
    ['a path', 'image_annotations.csv', `filename,label\n${text},cat\n`, 'a text has'],
    ['a label', 'image_annotations.csv', `filename,label\na.jpg,${text}\n`, 'a text has more than 65,536 characters'],
    ['a caption', 'image_annotations.csv', `filename,label,caption\na.jpg,cat,${text}\n`, 'a text has more'],
    [
      'the label of a box',
      'object_annotations.csv',
      `filename,col_x,row_y,width,height,label\na.jpg,1,1,1,1,${text}\n`,
      'a text has',
    ],
    [
      'a COCO path',
      'annotations.json',
      JSON.stringify({ images: [{ id: 1, file_name: text, labels: ['cat'] }] }),
      'a text has',
    ],
    ['a COCO label', 'annotations.json', JSON.stringify({ images: [{ ...IMAGE, labels: [text] }] }), 'a text has'],
    ['a COCO caption', 'annotations.json', JSON.stringify({ images: [{ ...IMAGE, caption: text }] }), 'a text has'],
    [
      'a COCO category',
      'annotations.json',
      JSON.stringify({
        images: [IMAGE],
        categories: [{ id: 1, name: text }],
        annotations: [{ image_id: 1, category_id: 1 }],
      }),
      'a text has',
    ],
    [
      'a COCO caption annotation',
      'annotations.json',
      JSON.stringify({ images: [IMAGE], categories: [CATEGORY], annotations: [{ image_id: 1, caption: text }] }),
      'a text has',
    ],
  ])('such as %s are skipped with the reason', async (_, name, content, reason) => {
    const { index, warnings } = await readAnnotations([file(name, content)]);
    expect(index.fileCount).toBe(0);
    expect(warnings).toContainEqual(expect.stringMatching(new RegExp(`number [12]\\) left out: ${reason}`)));
  });

  it('in a field are skipped with the reason', async () => {
    const content = `filename,metadata.note\na.jpg,${text}\n`;
    const read = await readAnnotations([file('image_annotations.csv', content)], undefined, {
      withFields: true,
    });
    expect(read.index.fileCount).toBe(0);
    expect(read.warnings).toEqual([expect.stringContaining('a text has more than 65,536 characters')]);
  });
});
