import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { IndexedContent, Quarantined } from '../../../common/engine/compute/media-analysis';
import type { Box } from '../../../common/engine/media-table/media-row';
import { KeptModels } from '../../../common/engine/models/kept-models';
import { ModelError } from '../../../common/engine/models/model-error';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import {
  PictureRefusedError,
  type ModelOptions,
  type PictureModelType,
  type RemotePictureModel,
} from '../../../common/engine/models/picture-model';
import { Settings } from '../../settings';
import type { AppliedType, Findings } from '../domain/findings';

export interface SeenPicture {
  readonly source: string;
  /** Null for the whole picture. */
  readonly region: Box | null;
  /** Absent for what the service keeps itself, which does not change. */
  readonly indexedAs?: IndexedContent;
}

export type PictureResult<Type extends AppliedType> =
  { readonly kind: 'FOUND'; readonly found: Findings[Type] } | Quarantined;

/** Applies one model to pictures, one by one. */
export interface AppliedPictureModel<Type extends AppliedType> {
  /** The number of pictures that keeps it busy. */
  readonly atOnce: number;
  apply(picture: SeenPicture, signal: AbortSignal): Promise<PictureResult<Type>>;
}

const MAX_OPEN_SERVERS = 8;

/** Applies models where they run: in the compute children, or at a server that is asked from here. */
@Injectable()
export class PictureModels implements OnApplicationShutdown {
  private readonly remote: KeptModels<RemotePictureModel<PictureModelType>>;

  constructor(
    private readonly registry: ModelRegistry,
    private readonly pool: ComputePool,
    private readonly settings: Settings,
  ) {
    this.remote = new KeptModels((id) => this.openRemote(id), MAX_OPEN_SERVERS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.remote.close();
  }

  /** Throws MissingModelError if there is no such model. */
  async use<T>(
    type: AppliedType,
    id: string,
    options: ModelOptions,
    work: (model: AppliedPictureModel<AppliedType>) => Promise<T>,
  ): Promise<T> {
    await this.registry.refresh();
    const { runsIn } = this.registry.get(type, id);
    if (type === 'IMAGE_ENCODING') return work(this.encoder(id));
    if (runsIn === 'child') return work(this.inChildren(type, id, options));
    return this.remote.use(id, (model) => work(this.atServer(model, options)));
  }

  private encoder(modelId: string): AppliedPictureModel<'IMAGE_ENCODING'> {
    const { pool } = this;
    return {
      atOnce: pool.capacity,
      apply: async (picture, signal) => {
        const result = await pool.embed({ ...picture, modelId, ...this.colours() }, { signal });
        return result.kind === 'EMBEDDED' ? { kind: 'FOUND', found: { embedding: result.embedding } } : result;
      },
    };
  }

  private inChildren(
    type: PictureModelType,
    modelId: string,
    options: ModelOptions,
  ): AppliedPictureModel<PictureModelType> {
    const { pool } = this;
    return {
      atOnce: pool.capacity,
      apply: async ({ region, ...file }, signal) => {
        const request = { type, modelId, ...file, regions: [region], options, ...this.colours() };
        const result = await pool.apply(request, { signal });
        return result.kind === 'FOUND' ? { kind: 'FOUND', found: result.findings[0]! } : result;
      },
    };
  }

  private atServer(
    model: RemotePictureModel<PictureModelType>,
    options: ModelOptions,
  ): AppliedPictureModel<PictureModelType> {
    const { longestSide, atOnce } = model;
    return {
      // The children decode the next pictures meanwhile.
      atOnce: atOnce + this.pool.capacity,
      apply: async (picture, signal) => {
        const encoded = await this.pool.encode({ ...picture, longestSide, ...this.colours() }, { signal });
        if (encoded.kind === 'QUARANTINED') return encoded;
        try {
          return { kind: 'FOUND', found: await model.apply(encoded.picture, options, signal) };
        } catch (error) {
          if (!(error instanceof PictureRefusedError)) throw error;
          return { kind: 'QUARANTINED', reason: 'refused_by_model', detail: error.message };
        }
      },
    };
  }

  private async openRemote(id: string): Promise<RemotePictureModel<PictureModelType>> {
    const opened = await this.registry.named(id).open();
    if ('runsIn' in opened && opened.runsIn === 'service') return opened;
    throw new ModelError(`The model ${id} does not run at a server.`);
  }

  private colours(): { readonly swapRedBlueForTiffHeic: boolean } {
    return { swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC') };
  }
}
