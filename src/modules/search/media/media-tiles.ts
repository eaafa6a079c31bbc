import { Injectable } from '@nestjs/common';
import { PictureTiles } from '../../../common/engine/compute/picture-tiles';
import { ConflictError, NotFoundError } from '../../../common/platform/errors/domain-error';
import { Settings } from '../../settings';
import { VersionOpener, type PublishedState } from '../../versions';
import { MediaNotFoundError } from '../query/domain/search-query';
import { cutFor, type TilePlace } from './domain/picture-tile';
import { rowOf } from './media.service';

export interface AskedTile {
  readonly place: TilePlace;
  readonly sha256?: string | undefined;
  readonly userId: string;
  /** Aborted once nobody waits for the tile. */
  readonly signal: AbortSignal;
}

/** Parts of pictures, for those that are too large to be shown as a whole. */
@Injectable()
export class MediaTiles {
  constructor(
    private readonly versions: VersionOpener,
    private readonly tiles: PictureTiles,
    private readonly settings: Settings,
  ) {}

  /** A JPEG. With `sha256`, only of a picture with this content. */
  async cut(
    state: PublishedState,
    mediaId: string,
    { place, sha256: wanted, userId, signal }: AskedTile,
  ): Promise<Uint8Array> {
    const { kind, source, sha256, width, height } = await this.pictureOf(state, mediaId);
    if (kind !== 'IMAGE' && kind !== 'FRAME')
      throw new ConflictError('Only images and frames have tiles. Those of an object are tiles of its image.');
    if (wanted !== undefined && wanted !== sha256)
      throw new NotFoundError('The picture has another content. Read its details again.');
    const request = {
      ...cutFor(place, { width, height }),
      source,
      swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC'),
      ...(kind === 'IMAGE' && { indexedAs: { sha256, region: null } }),
    };
    const result = await this.tiles.cut(userId, request, signal);
    if (result.kind === 'ENCODED') return result.pictures[0]!.jpeg;
    const { reason, detail } = result;
    if (reason === 'missing' || reason === 'changed') throw new NotFoundError(detail);
    throw new ConflictError(`The picture has no tiles (${reason}): ${detail}`);
  }

  private async pictureOf({ pointer }: PublishedState, mediaId: string) {
    if (pointer === null) throw new MediaNotFoundError();
    using version = await this.versions.openToBrowse(pointer);
    const fields = ['kind', 'source', 'sha256', 'width', 'height'] as const;
    const [row] = await version.table.takeRows([await rowOf(version, mediaId)], fields);
    return row!;
  }
}
