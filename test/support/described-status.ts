import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

interface Route {
  readonly path: string;
  readonly pattern: RegExp;
  readonly operations: Readonly<Record<string, { readonly responses: object }>>;
}

const PARAMETER = /\{[^}]+\}/g;

const literal = (text: string): string => text.replaceAll('.', String.raw`\.`);

const patternOf = (path: string): RegExp => new RegExp(`^${path.split(PARAMETER).map(literal).join('[^/]+')}$`);

function readRoutes(): readonly Route[] {
  const text = readFileSync(join(__dirname, '..', '..', 'openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as Description;
  const routes = Object.entries(paths).map(([path, operations]) => ({ path, pattern: patternOf(path), operations }));
  // Routes with fewer parameters first, because they take precedence over routes with more.
  return routes.sort((a, b) => parametersIn(a) - parametersIn(b));
}

const parametersIn = ({ path }: Route): number => path.match(PARAMETER)?.length ?? 0;

let routes: readonly Route[] | undefined;

/** Throws if openapi.json describes the route of a request, but not the status of its response. */
export function assertDescribed(method: string, path: string, status: number): void {
  routes ??= readRoutes();
  const [place] = path.split('?') as [string];
  const route = routes.find(({ pattern }) => pattern.test(place));
  const operation = route?.operations[method.toLowerCase()];
  if (route === undefined || operation === undefined || String(status) in operation.responses) return;
  throw new Error(
    `${method} ${route.path} answered ${status}, which openapi.json does not have there: add it by @MayFail, and run "npm run describe"`,
  );
}
