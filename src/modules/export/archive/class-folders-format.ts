import { PLAIN, type AnnotationFormat } from '../../../common/engine/annotation-formats/annotation-format';
import { MemberNames, safeSegment } from '../../../common/engine/annotation-formats/member-names';

/** Only the images, in a folder for each label. */
export const classFoldersFormat: AnnotationFormat = {
  holds: {
    ...PLAIN,
    shapes: { label: 'label', box: null, polygon: null, mask: null, keypoints: null },
    labels: 'folder',
    pictures: 'labelled',
  },
  walks: 0,
  write: () => [],
};

/** Folders named by labels. */
export class LabelFolders {
  private readonly names = new MemberNames();
  private readonly folders = new Map<string, string>();

  of(label: string): string {
    let folder = this.folders.get(label);
    if (folder === undefined) {
      folder = this.names.unique(safeSegment(label));
      this.folders.set(label, folder);
    }
    return folder;
  }
}
