import { filesToSend, NOTHING_PICKED, withAnnotations, withChosen } from './annotation-rules';
import type { PathFile } from './picked-files';

const file = (path: string): PathFile => ({ path, file: new File([path], path) });
const files = (...paths: string[]): PathFile[] => paths.map(file);
const pathsOf = (all: readonly PathFile[]): string[] => all.map(({ path }) => path);

describe('annotation files among chosen files', () => {
  it('are found at the root', () => {
    const { media, annotations } = withChosen(NOTHING_PICKED, files('a.jpg', 'annotations.json', 'labels.csv'));
    expect(pathsOf(media)).toEqual(['a.jpg', 'labels.csv']);
    expect(pathsOf(annotations)).toEqual(['annotations.json']);
  });

  it('are found at the root of a folder, but not below', () => {
    const { media, annotations } = withChosen(
      NOTHING_PICKED,
      files('photos/object_annotations.csv', 'photos/in/a.jpg', 'photos/in/annotations.json'),
    );
    expect(pathsOf(annotations)).toEqual(['object_annotations.csv']);
    expect(pathsOf(media)).toEqual(['photos/in/a.jpg', 'photos/in/annotations.json']);
  });

  it('are found among a hundred thousand files', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => ({ path: `photos/${at}.jpg`, file: {} as File }));
    const { media, annotations } = withChosen(NOTHING_PICKED, [...many, file('photos/annotations.json')]);
    expect([media.length, pathsOf(annotations)]).toEqual([100_000, ['annotations.json']]);
  });

  it('replace files with the same name', () => {
    const [first, second] = [file('annotations.json'), file('annotations.json')];
    const { annotations } = withChosen(withChosen(NOTHING_PICKED, [first]), [second]);
    expect(annotations).toHaveLength(1);
    expect(annotations[0]!.file).toBe(second.file);
  });
});

describe('files chosen as annotation files', () => {
  it('are recognised by their names in any folder', () => {
    const [{ annotations }, refused] = withAnnotations(
      NOTHING_PICKED,
      files('in/Annotations.json', 'in/image_annotations.csv'),
    );
    expect(pathsOf(annotations)).toEqual(['image_annotations.csv']);
    expect(refused).toEqual(['Annotations.json']);
  });
});

describe('uploaded files', () => {
  it('have paths relative to the chosen folder, like in annotation files', () => {
    const picked = { media: files('photos/a.jpg', 'photos/in/b.jpg'), annotations: files('annotations.json') };
    expect(pathsOf(filesToSend(picked))).toEqual(['annotations.json', 'a.jpg', 'in/b.jpg']);
  });

  it('keep their paths without a common folder or annotation files', () => {
    const media = files('photos/a.jpg', 'b.jpg');
    expect(pathsOf(filesToSend({ media, annotations: files('annotations.json') }))).toEqual([
      'annotations.json',
      'photos/a.jpg',
      'b.jpg',
    ]);
    expect(pathsOf(filesToSend({ media: files('photos/a.jpg'), annotations: [] }))).toEqual(['photos/a.jpg']);
  });
});
