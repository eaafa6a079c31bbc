import { inList } from '../../../common/engine/media-table/literal';
import { columnsOf, kindCode } from '../../../common/engine/media-table/media-schema';
import type { MatchedObject, MediaRow } from '../../../common/engine/media-table/media-row';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { inBatches, PICTURE_FIELDS, type PictureRow } from '../../tables';
import { newObjects, REMOVABLE_FIELDS, type PlacedObject, type ReplacedObjects } from '../domain/replaced-objects';
import { givenObjects, type GivenAnnotations } from './given-annotations';

type Picture = PictureRow & Pick<MediaRow, 'matchedObjects'>;

export interface WantedObjects {
  readonly picture: PictureRow;
  readonly objects: readonly PlacedObject[];
  /** All that the picture has from now on; absent if they stay as they are. */
  readonly matched?: readonly MatchedObject[];
}

export interface ObjectsToCut {
  /** Of the dataset's embeddings. */
  readonly modelId: string;
  /** How many have objects to cut. */
  readonly pictures: number;
  /** In the same order each time, without the first ones. */
  wanted(skip: number): AsyncGenerator<WantedObjects>;
}

const PICTURES = `kind IN ${inList([kindCode('IMAGE'), kindCode('FRAME')])}`;
const OBJECTS = `kind = ${kindCode('OBJECT')}`;
/** Pictures whose objects are looked up at once. */
const LOOKED_UP = 64;

type KnownObject = Pick<MediaRow, 'box' | 'labels' | 'generatedLabels'>;

/** The objects that a task gives to pictures, and that these do not have yet. */
export class GivenToCut implements ObjectsToCut {
  constructor(
    private readonly table: MediaTable,
    readonly modelId: string,
    private readonly given: GivenAnnotations,
    private readonly replaced: ReplacedObjects,
    readonly pictures: number,
  ) {}

  async *wanted(skip: number): AsyncGenerator<WantedObjects> {
    let at = 0;
    for await (const pictures of inBatches(this.annotated(), LOOKED_UP)) {
      const some = pictures.filter(() => at++ >= skip);
      if (some.length === 0) continue;
      const known = await this.objectsIn(some);
      for (const picture of some) yield this.wantedIn(picture, known.get(picture.id) ?? []);
    }
  }

  private wantedIn(picture: Picture, known: readonly KnownObject[]): WantedObjects {
    const before = picture.matchedObjects ?? [];
    const staying = this.replaced.hasPredicted(picture.id) ? [] : before;
    const given = givenObjects(this.given, picture) ?? [];
    const { objects, matched } = newObjects(given, picture, { objects: known, matched: staying });
    const isChanged = matched.length > 0 || staying.length < before.length;
    return { picture, objects, ...(isChanged && { matched: [...staying, ...matched] }) };
  }

  private async *annotated(): AsyncGenerator<Picture> {
    const fields = [...PICTURE_FIELDS, 'matchedObjects'] as const;
    for await (const batch of this.table.readRows(fields, { filter: PICTURES, batchRows: 1024 }))
      for (const picture of batch) if (givenObjects(this.given, picture) !== undefined) yield picture;
  }

  /** The objects of pictures that stay, by picture. */
  private async objectsIn(pictures: readonly Picture[]): Promise<Map<string, KnownObject[]>> {
    const known = new Map<string, KnownObject[]>();
    const filter = `${OBJECTS} AND ${columnsOf('parentId')[0]} IN ${inList(pictures.map(({ id }) => id))}`;
    const fields = [...REMOVABLE_FIELDS, 'box', 'labels'] as const;
    for await (const batch of this.table.readRows(fields, { filter }))
      for (const row of batch) {
        if (row.parentId === null || row.objectSource !== null || this.replaced.has(row)) continue;
        const inPicture = known.get(row.parentId);
        if (inPicture === undefined) known.set(row.parentId, [row]);
        else inPicture.push(row);
      }
    return known;
  }
}
