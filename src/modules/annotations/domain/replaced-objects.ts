import type { MediaRow } from '../../../common/engine/media-table/media-row';
import type { GivenObject } from './annotation';

/** Whether people marked an object, or a model predicted it. */
export type ObjectOrigin = 'marked' | 'predicted';

export const originOf = ({ generatedLabels }: Pick<MediaRow, 'generatedLabels'>): ObjectOrigin =>
  generatedLabels === null ? 'marked' : 'predicted';

/** The objects of a picture that the given ones replace; without given ones, the marked objects. */
export function originsReplacedBy(objects: readonly GivenObject[]): ReadonlySet<ObjectOrigin> {
  if (objects.length === 0) return new Set(['marked']);
  return new Set(objects.map(({ confidence }) => (confidence === null ? 'marked' : 'predicted')));
}

/** Which objects give way, by the id of their picture. */
export class ReplacedObjects {
  private readonly origins = new Map<string, ReadonlySet<ObjectOrigin>>();

  replace(pictureId: string, objects: readonly GivenObject[]): void {
    this.origins.set(pictureId, originsReplacedBy(objects));
  }

  /** For a picture whose new objects could not be read. */
  keep(pictureId: string): void {
    this.origins.delete(pictureId);
  }

  has(row: Pick<MediaRow, 'kind' | 'parentId' | 'generatedLabels'>): boolean {
    if (row.kind !== 'OBJECT' || row.parentId === null) return false;
    return this.origins.get(row.parentId)?.has(originOf(row)) === true;
  }
}
