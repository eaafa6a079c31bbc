import { extname } from 'node:path';
import type {
  AnnotationFormat,
  Pictures,
  WrittenSource,
} from '../../../common/engine/annotation-formats/annotation-format';
import type { FilePicture, Skeleton } from '../../../common/engine/annotation-formats/file-picture';
import { fitted, Losses } from '../../../common/engine/annotation-formats/fit-annotations';
import { shardsOf, type Sample } from '../../../common/engine/annotation-formats/webdataset/write-webdataset';
import { safePath } from '../../../common/engine/annotation-formats/member-names';
import type { MediaItem } from '../domain/media-item';
import type { ArchiveFormat, ExportedImage, ExportInfo, MediaBatches } from './archive-format';
import { LabelFolders } from './class-folders-format';
import { isTableFormat, TABLE_FORMATS, type ExportFormat } from './formats';

type ImageAt = NonNullable<ArchiveFormat['imageAt']>;

/** Where tools look for images. */
const IMAGE_AT: Partial<Record<ExportFormat, ImageAt>> = {
  voc: (_, name) => `JPEGImages/${name}`,
  datumaro: (_, name) => `images/default/${name}`,
  labelme: (_, name) => name,
  imagefolder: (_, name) => name,
  mot: ({ row }) => `images/${safePath(row.path)}`,
  cvat: ({ row }) => `images/${safePath(row.path)}`,
};

/** Their folders are the sequences of frames. */
const KEEPS_PATHS: readonly ExportFormat[] = ['mot', 'cvat'];

/** Writes the annotations of a source; `losses` counts what the format cannot hold. */
export function sourceFormat(
  name: ExportFormat,
  format: AnnotationFormat,
  losses: Losses,
  skeletons: readonly Skeleton[] = [],
): ArchiveFormat {
  const pictureOf = ({ row, imageName, annotations }: MediaItem, counted: Losses): FilePicture => {
    const path = KEEPS_PATHS.includes(name) ? row.path : (imageName ?? row.path);
    return fitted({ path, width: row.width, height: row.height, annotations }, format.holds, counted);
  };
  const table = isTableFormat(name) && !['coco', 'yolo'].includes(name) ? TABLE_FORMATS[name] : undefined;
  const imageAt = name === 'class_folders' ? inLabelFolders(pictureOf, losses) : IMAGE_AT[name];
  return {
    walks: format.walks + (table?.walks ?? 0),
    async *members(info, items) {
      if (table !== undefined) yield* table.members(info, items);
      yield* format.write(picturesOf(items, pictureOf, losses), writtenSource(info, skeletons));
    },
    ...(imageAt !== undefined && { imageAt }),
    ...(name === 'webdataset' && { withImages: (_, images) => shardsOf(samplesOf(images, pictureOf, losses)) }),
  };
}

type PictureOf = (item: MediaItem, losses: Losses) => FilePicture;

const writtenSource = ({ datasetName, source }: ExportInfo, skeletons: readonly Skeleton[]): WrittenSource => ({
  dataset: datasetName,
  name: source!,
  skeletons,
});

/** The first walk counts. */
function picturesOf(items: MediaBatches, pictureOf: PictureOf, losses: Losses): Pictures {
  let walks = 0;
  return async function* () {
    const counted = walks++ === 0 ? losses : new Losses();
    for await (const batch of items()) yield batch.map((item) => pictureOf(item, counted));
  };
}

function inLabelFolders(pictureOf: PictureOf, losses: Losses): ImageAt {
  const folders = new LabelFolders();
  return (item, name) => {
    const [annotation] = pictureOf(item, losses).annotations;
    return annotation === undefined ? null : `${folders.of(annotation.label)}/${name}`;
  };
}

const EXTENSION = /^\.[a-z0-9]{1,8}$/;

async function* samplesOf(
  images: AsyncIterable<ExportedImage>,
  pictureOf: PictureOf,
  losses: Losses,
): AsyncGenerator<Sample> {
  for await (const { item, bytes } of images) {
    const picture = pictureOf(item, losses);
    const extension = extname(item.row.fileName).toLowerCase();
    const image = { extension: EXTENSION.test(extension) ? extension.slice(1) : 'bin', bytes: bytes! };
    yield bytes === undefined ? { picture } : { picture, image };
  }
}

/** What an archive lacks, in a sentence; none if it lacks nothing. */
export function lossesText(losses: Losses): string[] {
  const parts = losses
    .list()
    .map(({ what, count, becomes }) => `${count} ${what} ${becomes === null ? 'were left out' : `became ${becomes}`}`);
  return parts.length === 0 ? [] : [`The format cannot hold everything: ${parts.join(', ')}`];
}
