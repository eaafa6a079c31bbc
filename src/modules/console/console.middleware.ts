import { join } from 'node:path';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';
import { readConsoleFiles, type ConsoleFile } from './console-files';
import { contentPolicy } from './content-policy';

/** Beside `dist` and `src`. */
const FOLDER = join(__dirname, '..', '..', '..', 'dist-web');
/** Where paths of other parts of the service begin. */
const NOT_PAGES: readonly string[] = ['api', 'health', 'metrics'];
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * Serves the files of the console, and its first page for every other page that a browser asks for. It knows no data: pages ask the API,
 * whose routes declare who may call them.
 */
@Injectable()
export class ConsoleMiddleware implements NestMiddleware {
  private readonly files = readConsoleFiles(FOLDER);
  private readonly policy: string;

  constructor(@Inject(CONFIGURATION) configuration: Configuration) {
    this.policy = contentPolicy(configuration);
  }

  get isBuilt(): boolean {
    return this.files.size > 0;
  }

  use(request: Request, response: Response, next: NextFunction): void {
    const file = this.fileFor(request);
    if (file === undefined) next();
    else this.send(file, request, response);
  }

  private fileFor(request: Request): ConsoleFile | undefined {
    const { method } = request;
    // Express takes what the middleware is mounted at off the path.
    const [path = ''] = request.originalUrl.split('?', 1);
    const [, folder = ''] = path.split('/', 2);
    if ((method !== 'GET' && method !== 'HEAD') || NOT_PAGES.includes(folder.toLowerCase())) return undefined;
    const file = this.files.get(path);
    if (file !== undefined) return file;
    const isPage = path === '/' || request.headers.accept?.includes('text/html') === true;
    return isPage ? this.files.get('/index.html') : undefined;
  }

  private send(file: ConsoleFile, request: Request, response: Response): void {
    response.setHeader('Content-Security-Policy', this.policy);
    response.setHeader('Content-Type', file.type);
    response.setHeader('ETag', file.etag);
    response.setHeader('Vary', 'Accept-Encoding');
    response.setHeader('Cache-Control', file.isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    if (request.fresh) {
      response.status(304).end();
      return;
    }
    const encoding = encodingOf(file, request);
    const body = encoding === undefined ? file.plain : file[encoding]!;
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    response.setHeader('Content-Length', body.length);
    response.end(request.method === 'HEAD' ? undefined : body);
  }
}

/** The smaller one first; browsers name all with the same preference. */
const encodingOf = (file: ConsoleFile, request: Request): 'br' | 'gzip' | undefined =>
  (['br', 'gzip'] as const).find((name) => file[name] !== undefined && request.acceptsEncodings(name) === name);
