import { Injectable } from '@nestjs/common';
import { MultimodalTexts } from '../../../common/engine/compute/multimodal-texts';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { TextEmbeddings } from '../../../common/engine/models/kept-models';
import type { UnderstoodText } from '../../../common/engine/models/texts/class-texts';
import { ImageModelTexts } from '../../../common/engine/models/texts/image-model-texts';
import type { VectorColumn } from '../../../common/engine/vectors/vector-source';
import type { DatasetPointer } from '../../datasets';
import { SimilarityScale } from './domain/similarity-scale';
import type { ComparedVectors } from './text-scan';

/** A text that media are searched by. */
export interface SoughtText {
  readonly text: string;
  /** `caption`: compared with captions, and with pictures by a model that was applied for that. `meaning`: also with pictures by their image model. */
  readonly by: 'caption' | 'meaning';
}

export const keyOf = ({ text, by }: SoughtText): string => `${by} ${text}`;

/** A text as vectors of one column can be compared with it. */
export interface TextVector extends ComparedVectors {
  readonly column: VectorColumn;
  readonly vector: Float32Array;
}

export interface DescribedText {
  /** Empty if no model has a vector for the text. */
  readonly vectors: readonly TextVector[];
  /** Set if the text was compared with pictures by the classes that it names. */
  readonly understood?: readonly UnderstoodText[];
}

interface AppliedEncoder {
  readonly id: string;
  readonly dimension: number;
}

/** The model whose vectors of pictures are in the table. */
export function encoderOf({ enrichments }: DatasetPointer, { dimensions }: MediaTable): AppliedEncoder | undefined {
  const applied = enrichments.MULTIMODEL_IMAGE_ENCODING;
  const dimension = dimensions.multimodalEmbedding;
  return applied === undefined || dimension === undefined ? undefined : { id: applied.id, dimension };
}

/** Describes a text by each model that can compare it with a table: with its captions, and with its pictures. */
@Injectable()
export class TextVectors {
  constructor(
    private readonly captions: TextEmbeddings,
    private readonly pictures: MultimodalTexts,
    private readonly classes: ImageModelTexts,
  ) {}

  /** Throws if a model is missing or cannot answer. */
  async of(pointer: DatasetPointer, table: MediaTable, { text, by }: SoughtText): Promise<DescribedText> {
    const encoder = encoderOf(pointer, table);
    const hasClasses = encoder === undefined && by === 'meaning' && this.classes.has(pointer.modelId);
    if (encoder === undefined && !hasClasses) return { vectors: await this.ofCaptions(pointer, table, text) };
    // Without captions there is nothing to scan.
    const ofCaptions = table.hasCaptions().then((has) => (has ? this.ofCaptions(pointer, table, text) : []));
    if (encoder !== undefined) {
      const vectors = await Promise.all([ofCaptions, this.ofPictures(encoder, text)]);
      return { vectors: vectors.flat() };
    }
    const [captioned, { understood, vectors }] = await Promise.all([ofCaptions, this.ofClasses(pointer, table, text)]);
    return { vectors: [...captioned, ...vectors], understood };
  }

  private async ofCaptions({ textModelId }: DatasetPointer, table: MediaTable, text: string): Promise<TextVector[]> {
    this.captions.assertGives(textModelId, table.dimensions.captionEmbedding);
    const [vector] = await this.captions.embed(textModelId, [text]);
    if (vector == null) return [];
    const columns: VectorColumn[] = ['caption_embedding'];
    if (await table.hasGeneratedBeside()) columns.push('generated_caption_embedding');
    const calibration = this.captions.calibrationOf(textModelId);
    const scale = calibration === undefined ? SimilarityScale.PLAIN : new SimilarityScale(calibration);
    return columns.map((column) => ({ column, vector, scale }));
  }

  private async ofPictures({ id, dimension }: AppliedEncoder, text: string): Promise<TextVector> {
    const model = await this.pictures.model(id, dimension);
    return {
      column: 'multimodal_embedding',
      vector: await this.pictures.embed(model, text),
      scale: new SimilarityScale(model.manifest.calibration),
    };
  }

  private async ofClasses(
    { modelId }: DatasetPointer,
    { dimensions }: MediaTable,
    text: string,
  ): Promise<Required<DescribedText>> {
    const { vector, understood, calibration } = await this.classes.describe(modelId, dimensions.embedding, text);
    const scale = new SimilarityScale(calibration);
    // A class that no picture shows would otherwise find those that are the least unlike it.
    return { understood, vectors: vector === null ? [] : [{ column: 'embedding', vector, scale, unrelated: 1 }] };
  }
}
