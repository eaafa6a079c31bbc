import { folderLabels } from '../../tables';
import type { Annotation } from '../domain/annotation';
import type { Unmatched } from '../domain/unmatched';
import { isPicture, type GivenAnnotations, type NamedRow } from './given-annotations';

/** The names of the folders that files lie in, as labels; frames lie where their video does. */
export class LabelsOfFolders implements GivenAnnotations {
  readonly byPath = true;
  readonly changesLabels = true;
  readonly changesRows = true;
  readonly hasObjects = false;

  about(row: NamedRow): readonly Annotation[] {
    if (!isPicture(row)) return [];
    const labels = folderLabels(row.kind === 'FRAME' ? row.path.slice(0, row.path.lastIndexOf('/')) : row.path);
    return labels.length === 0 ? [] : [{ labels }];
  }

  /** Nothing is named that could be missing. */
  unmatched(): Promise<Unmatched> {
    return Promise.resolve({ names: [], count: 0, total: 1 });
  }
}
