import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ComputePool } from '../../../common/engine/compute/compute-pool';
import type { Quarantined } from '../../../common/engine/compute/media-analysis';
import { KeptModels } from '../../../common/engine/models/kept-models';
import { ModelError } from '../../../common/engine/models/model-error';
import { ModelRegistry } from '../../../common/engine/models/model-registry';
import type { Model } from '../../../common/engine/models/model-runtime';
import {
  PictureRefusedError,
  type ModelOptions,
  type PictureModelType,
  type RemotePictureModel,
} from '../../../common/engine/models/picture-model';
import { Settings } from '../../settings';
import { KINDS_SEEN, type AppliedType, type Findings } from '../domain/findings';
import { OncePerFile } from './once-per-file';
import type { SeenPicture } from './seen-pictures';

export type PictureResult<Type extends AppliedType> =
  { readonly kind: 'FOUND'; readonly found: Findings[Type] } | Quarantined;

/** Applies one model to pictures, one by one. */
export interface AppliedPictureModel<Type extends AppliedType> {
  /** The number of pictures that keeps it busy. */
  readonly atOnce: number;
  apply(picture: SeenPicture, signal: AbortSignal): Promise<PictureResult<Type>>;
}

const MAX_OPEN_SERVERS = 8;
/** Pictures that wait for their turn at a server. They are held in memory. */
const MOST_READY = 16;
const REGIONS_AT_ONCE = 4;

const refused = (detail: string): Quarantined => ({ kind: 'QUARANTINED', reason: 'refused_by_model', detail });

/** Applies models where they run: in the compute children, or at a server that is asked from here. */
@Injectable()
export class PictureModels implements OnApplicationShutdown {
  private readonly remote = new KeptModels(openRemote, MAX_OPEN_SERVERS);

  constructor(
    private readonly registry: ModelRegistry,
    private readonly pool: ComputePool,
    private readonly settings: Settings,
  ) {}

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
    const known = this.registry.get(type, id);
    if (type === 'IMAGE_ENCODING') return work(this.encoder(id));
    if (known.runsIn === 'child') return work(this.inChildren(type, id, options));
    return this.remote.use(known, (model) => work(this.atServer(model, options)));
  }

  private encoder(modelId: string): AppliedPictureModel<'IMAGE_ENCODING'> {
    const { pool } = this;
    return {
      atOnce: pool.capacity,
      apply: async ({ source, region, indexedAs }, signal) => {
        const file = { source, ...(indexedAs && { indexedAs }) };
        const result = await pool.embed({ ...file, region, modelId, ...this.colours() }, { signal });
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
    const applied = new OncePerFile((file, regions, signal) =>
      pool.apply({ type, modelId, ...file, regions, options, ...this.colours() }, { signal }),
    );
    return {
      // Several regions may be of one file.
      atOnce: pool.capacity * (KINDS_SEEN[type].includes('OBJECT') ? REGIONS_AT_ONCE : 1),
      apply: async (picture, signal) => {
        const [result, at] = await applied.of(picture, signal);
        if (result.kind === 'QUARANTINED') return result;
        const found = result.findings[at]!;
        return 'refused' in found ? refused(found.refused) : { kind: 'FOUND', found };
      },
    };
  }

  private atServer(
    model: RemotePictureModel<PictureModelType>,
    options: ModelOptions,
  ): AppliedPictureModel<PictureModelType> {
    const { longestSide, atOnce } = model;
    const encoded = new OncePerFile((file, regions, signal) =>
      this.pool.encode({ ...file, regions, longestSide, ...this.colours() }, { signal }),
    );
    return {
      // The next pictures are ready, and the children decode those after them.
      atOnce: atOnce + Math.min(atOnce, MOST_READY) + this.pool.capacity,
      apply: async (picture, signal) => {
        const [result, at] = await encoded.of(picture, signal);
        if (result.kind === 'QUARANTINED') return result;
        try {
          return { kind: 'FOUND', found: await model.apply(result.pictures[at]!, options, signal) };
        } catch (error) {
          if (!(error instanceof PictureRefusedError)) throw error;
          return refused(error.message);
        }
      },
    };
  }

  private colours(): { readonly swapRedBlueForTiffHeic: boolean } {
    return { swapRedBlueForTiffHeic: this.settings.isOn('SWAP_RGB_CHANNELS_FOR_TIFF_HEIC') };
  }
}

async function openRemote(model: Model): Promise<RemotePictureModel<PictureModelType>> {
  const opened = await model.open();
  if ('runsIn' in opened && opened.runsIn === 'service') return opened;
  throw new ModelError(`The model ${model.manifest.id} does not run at a server.`);
}
