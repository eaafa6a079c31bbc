import { z } from 'zod';
import { batchSource } from '../../sources/domain/source-location';
import { updateParameters } from '../../../tables';
import { BadRequestError } from '../../../../common/platform/errors/domain-error';

export class MediaSourceCountError extends BadRequestError {
  constructor() {
    super('Exactly one media source must be provided: files[], s3_uri, or archive');
  }
}

export class NoMediaFoundError extends BadRequestError {
  constructor(uri: string, reason?: string) {
    super(`Invalid S3 URI or no media files found at ${uri}`, reason);
  }
}

export class NoMediaInArchiveError extends BadRequestError {
  constructor(name: string) {
    super(`No media files found in ${name}`);
  }
}

/** Hints for external capacity planning: validated and stored, without effect here. */
const batchHints = z.object({
  videos: z.number().nullable(),
  images: z.number().nullable(),
  objects: z.number().nullable(),
  useSpot: z.boolean().nullable(),
});

/** A batch of media to add to an indexed dataset. */
const addition = z.object({ source: batchSource, autoReindex: z.boolean(), hints: batchHints });
export type Addition = z.infer<typeof addition>;

/** Parameters of the task. */
export const addMediaParameters = updateParameters.extend(addition.shape);
export type AddMediaParameters = z.infer<typeof addMediaParameters>;
