import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Public } from '../../http/access';
import { MayFail } from '../../http/description/may-fail';
import { RateLimited } from '../../http/rate-limited';
import { ForbiddenError, NotFoundError } from '../../errors/domain-error';
import { contentDisposition, contentTypeOf, isSafeInline, UNKNOWN_CONTENT_TYPE } from './content-headers';
import { errorCode } from '../../errors/error-code';
import { InvalidKeyError, type ByteRange } from '../object-store';
import { MediaSources, SourceNotAllowedError, SourceNotFoundError, type SourceStat } from '../sources/source-files';
import { fileSource, storeSource } from '../sources/source-location';
import { MEDIA_ROUTE, UrlSigner, type MediaLink } from './url-signer';

interface Signed {
  readonly link: MediaLink;
  readonly query: URLSearchParams;
  readonly secondsLeft: number;
}

const SOURCE_OF: Readonly<Record<MediaLink['kind'], (path: string) => string>> = {
  store: storeSource,
  file: fileSource,
  s3: (path) => `s3://${path}`,
};

/** Common for video players and galleries. */
const CLIENT_WENT_AWAY = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'];

const FILE_HEADERS = [
  'Content-Type',
  'Content-Length',
  'Content-Range',
  'Content-Disposition',
  'Cache-Control',
  'ETag',
  'Last-Modified',
];

const ANY_BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

/** Serves the targets of signed URLs. The signature is the authorisation. */
@ApiTags('Media')
@Controller(MEDIA_ROUTE)
export class SignedMediaController {
  constructor(
    private readonly sources: MediaSources,
    private readonly signer: UrlSigner,
  ) {}

  @Public()
  @RateLimited('media')
  @Get(':kind/*path')
  @ApiOperation({ summary: 'The bytes of an image or a video, by a signed URL from another response' })
  @ApiOkResponse({ description: 'The whole file.', content: ANY_BYTES })
  @ApiResponse({ status: 206, description: 'The range of the file that was asked for.', content: ANY_BYTES })
  @ApiResponse({ status: 304, description: 'The file has not changed.' })
  @MayFail(403, 404, 416)
  @ApiParam({
    name: 'kind',
    schema: { type: 'string', enum: Object.keys(SOURCE_OF), example: 'store' },
    description: 'Where the file is stored.',
  })
  @ApiParam({
    name: 'path',
    type: 'string',
    description: 'The path of the file; it may contain slashes.',
    example: 'thumbs/12.webp',
  })
  async serve(@Req() request: Request, @Res() response: Response): Promise<void> {
    const signed = this.verified(request);
    const source = SOURCE_OF[signed.link.kind](signed.link.path);
    try {
      const stat = await this.sources.stat(source);
      setHeaders(response, signed, stat);
      if (request.fresh) {
        response.status(304).end();
        return;
      }
      const range = requestedRange(request, stat);
      if (range === 'unsatisfiable') {
        refuseRange(response, stat);
        return;
      }
      const length = range ? range.end - range.start + 1 : stat.size;
      response.setHeader('Content-Length', length);
      if (range) response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${stat.size}`);
      if (request.method === 'HEAD') response.end();
      else await send(await this.sources.open(source, range), response);
    } catch (error) {
      if (CLIENT_WENT_AWAY.includes(errorCode(error) ?? '')) return;
      if (!response.headersSent) clearHeaders(response);
      if (error instanceof SourceNotFoundError || error instanceof SourceNotAllowedError)
        await this.sources.assertReachable(source);
      throw answerTo(error);
    }
  }

  private verified(request: Request): Signed {
    const url = new URL(request.originalUrl, 'http://local');
    const { kind, path } = addressOf(request.params);
    const verdict = this.signer.verify(`${kind}/${path}`, url.searchParams);
    const link = verdict === 'wrong' ? undefined : this.signer.linkOf(kind, path);
    if (link === undefined) throw new ForbiddenError('The link is not valid');
    if (verdict === 'expired') throw new ForbiddenError('The link has expired');
    return { link, query: url.searchParams, secondsLeft: this.signer.secondsLeft(url.searchParams) };
  }
}

/** A pipeline does not close the file if the client disconnected before it began. */
async function send(file: Readable, response: Response): Promise<void> {
  try {
    await pipeline(file, response);
  } finally {
    file.destroy();
  }
}

const textOf = (parts: string | string[] | undefined): string =>
  Array.isArray(parts) ? parts.join('/') : (parts ?? '');

const addressOf = ({ kind, path }: Request['params']): { readonly kind: string; readonly path: string } => ({
  kind: textOf(kind),
  path: textOf(path),
});

function setHeaders(response: Response, { link, query, secondsLeft }: Signed, stat: SourceStat): void {
  const type = query.get('type') ?? contentTypeOf(link.path) ?? UNKNOWN_CONTENT_TYPE;
  const downloadName = query.get('name');
  const isInline = downloadName === null && isSafeInline(type);
  const name = downloadName ?? link.path.slice(link.path.lastIndexOf('/') + 1);
  response.setHeader('Content-Type', type);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // Pages of other origins show pictures too: the console under another host name of this machine, and notebooks.
  response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
  response.setHeader('Content-Disposition', contentDisposition(isInline ? 'inline' : 'attachment', name));
  response.setHeader('Cache-Control', `private, max-age=${secondsLeft}`);
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('ETag', `"${stat.etag}"`);
  response.setHeader('Last-Modified', stat.lastModified.toUTCString());
}

/** Headers set for the file must not be sent with an error. */
function clearHeaders(response: Response): void {
  for (const name of FILE_HEADERS) response.removeHeader(name);
}

/** The range to serve. Several ranges, or a range of an older version, get the whole file. */
function requestedRange(request: Request, stat: SourceStat): ByteRange | undefined | 'unsatisfiable' {
  const since = request.get('if-range');
  if (since !== undefined && since !== `"${stat.etag}"`) return undefined;
  const ranges = request.range(stat.size);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

function refuseRange(response: Response, stat: SourceStat): void {
  clearHeaders(response);
  response.setHeader('Content-Range', `bytes */${stat.size}`);
  response.status(416).json({ detail: `The file has ${stat.size} bytes; the range is outside` });
}

function answerTo(error: unknown): unknown {
  if (error instanceof SourceNotFoundError || error instanceof InvalidKeyError)
    return new NotFoundError('The file is no longer there');
  if (error instanceof SourceNotAllowedError) return new ForbiddenError('The service is not allowed to read the file');
  return error;
}
