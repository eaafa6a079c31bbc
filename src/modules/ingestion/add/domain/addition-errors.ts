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
