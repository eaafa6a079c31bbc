import { ANNOTATION_FILE_NAMES } from '../../annotation-files/domain/annotation-file';
import { classifyFileName, IMAGE_EXTENSIONS, VIDEO_EXTENSIONS } from './media-formats';

describe('media formats', () => {
  it('are exactly the documented ones and four aliases', () => {
    const documented = 'png jpg jpeg gif tif tiff heic heif bmp webp jp2 jfif mp4 avi dav m4v mov mkv wmv flv webm';
    const variants = 'hif j2k jpf mpo';
    expect([...IMAGE_EXTENSIONS, ...VIDEO_EXTENSIONS].sort()).toEqual(`${documented} ${variants}`.split(' ').sort());
  });

  it.each([
    ['a.jpg', 'image'],
    ['A.JPG', 'image'],
    ['deep/er/photo.HeIc', 'image'],
    ['.jpg', 'image'],
    ['two.dots.tiff', 'image'],
    ['l\'été "vu".jfif', 'image'],
    ['films/clip.MOV', 'video'],
    ['camera.dav', 'video'],
    ['drawing.svg', 'unsupported'],
    ['archive.zip', 'unsupported'],
    ['jpg', 'unsupported'],
    ['photos.jpg/readme', 'unsupported'],
    ['a.jpg ', 'unsupported'],
    ['a.', 'unsupported'],
    ['', 'unsupported'],
    ['constructor', 'unsupported'],
    ['a.constructor', 'unsupported'],
  ])('classify %j as %s', (name, kind) => {
    expect(classifyFileName(name)).toBe(kind);
  });

  it('recognise annotation files by their exact names at the root', () => {
    for (const name of ANNOTATION_FILE_NAMES) {
      expect(classifyFileName(name)).toBe('annotation');
      expect(classifyFileName(`below/${name}`)).toBe('unsupported');
      expect(classifyFileName(name.toUpperCase())).toBe('unsupported');
    }
    expect(classifyFileName('labels.csv')).toBe('unsupported');
  });
});
