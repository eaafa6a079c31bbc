import { z } from 'zod';
import { ladderSchema, MODEL_ID } from '../../../common/engine/models/model-manifest';

const MAX_NAMES = 20;

/** How many media, and the names of the first, in order: that of a table is arbitrary. */
export class CountedNames {
  private readonly names: string[] = [];
  private counted = 0;

  get count(): number {
    return this.counted;
  }

  add(name: string): void {
    this.counted += 1;
    if (this.names.length < MAX_NAMES) this.names.push(name);
  }

  toString(): string {
    const others = this.counted - this.names.length;
    const shown = [...this.names].sort().join(', ');
    return others === 0 ? shown : `${shown} and ${others} more`;
  }
}

export const NAMINGS = ['file_name', 'media_id'] as const;
/** Whether vectors are named by the path of an image or frame in the dataset, or by the id of an image, a frame or an object. */
export type Naming = (typeof NAMINGS)[number];

export const VECTOR_FORMATS = ['npy', 'parquet'] as const;
export type VectorFormat = (typeof VECTOR_FORMATS)[number];

const storedFile = z.object({ key: z.string(), size: z.int() });

/** The parameters of the task of an upload. */
export const embeddingUpload = z.object({
  /** The user's name for the vectors. */
  id: z.string().regex(MODEL_ID),
  /** Null: derived from the vectors. */
  ladder: ladderSchema.nullable(),
  allowMissing: z.boolean(),
  format: z.enum(VECTOR_FORMATS),
  vectors: storedFile,
  /** Null for a file that names its vectors itself. */
  names: storedFile.extend({ naming: z.enum(NAMINGS) }).nullable(),
});
export type EmbeddingUpload = z.infer<typeof embeddingUpload>;

export const vectorFormatOf = (name: string): VectorFormat | undefined =>
  VECTOR_FORMATS.find((format) => name.toLowerCase().endsWith(`.${format}`));
