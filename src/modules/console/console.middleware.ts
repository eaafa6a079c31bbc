import { join, extname } from 'node:path';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { CONFIGURATION, type Configuration } from '../../common/platform/config/configuration';

interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  /** Whether its name changes with its content. */
  readonly isHashed: boolean;
  readonly plain: Buffer;
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
};

const HASHED_FOLDER = 'assets/';

interface MediaOrigins {
  readonly baseUrl: string;
  /** Where signed links of an S3 store lead. */
  readonly s3: { readonly endpoint: string; readonly publicEndpoint?: string } | null;
}

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

/** What the pages of the console may load: own files, and media from where signed links lead. Nothing inline, nothing evaluated. */
function contentPolicy({ baseUrl, s3 }: MediaOrigins): string {
  const links = [baseUrl, ...(s3 === null ? [] : [s3.publicEndpoint ?? s3.endpoint])].map((url) => new URL(url).origin);
  const media = ["'self'", ...new Set(links), 'blob:'].join(' ');
  return [
    "default-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The built console, by path. Only what is listed here is served, so no path leads anywhere else. Empty without a build. */
function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  if (!existsSync(join(folder, 'index.html'))) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const compressed = (name: string, ending: string): Buffer | undefined =>
    names.includes(`${name}${ending}`) ? readFileSync(join(folder, `${name}${ending}`)) : undefined;
  const files = new Map<string, ConsoleFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const plain = readFileSync(join(folder, name));
    files.set(`/${name}`, {
      type,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      isHashed: name.startsWith(HASHED_FOLDER),
      plain,
      br: compressed(name, '.br'),
      gzip: compressed(name, '.gz'),
    });
  }
  return files;
}
