import { Injectable } from '@nestjs/common';
import { MultimodalTexts } from '../../../common/engine/compute/multimodal-texts';
import type { MediaTable } from '../../../common/engine/media-table/media-table';
import { TextEmbeddings } from '../../../common/engine/models/kept-models';
import type { VectorColumn } from '../../../common/engine/vectors/vector-source';
import type { DatasetPointer } from '../../datasets';
import { SimilarityScale } from './domain/similarity-scale';

/** A text as vectors of one column can be compared with it. */
export interface TextVector {
  readonly column: VectorColumn;
  readonly vector: Float32Array;
  readonly scale: SimilarityScale;
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
  ) {}

  /** Empty if no model has a vector for the text. Throws if a model is missing or cannot answer. */
  async of(pointer: DatasetPointer, table: MediaTable, text: string): Promise<readonly TextVector[]> {
    const encoder = encoderOf(pointer, table);
    if (encoder === undefined) return this.ofCaptions(pointer, table, text);
    const [ofCaptions, ofPictures] = await Promise.all([
      // Without captions there is nothing to scan.
      table.hasCaptions().then((has) => (has ? this.ofCaptions(pointer, table, text) : [])),
      this.ofPictures(encoder, text),
    ]);
    return [...ofCaptions, ofPictures];
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
}
