// Removes from node_modules what the program never loads, so that it does not become part of the image.
// Usage: node prune-packages.mjs node_modules
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const packages = process.argv[2];
const { platform, arch } = process;

const remove = (...path) => rmSync(join(packages, ...path), { recursive: true, force: true });
const foldersIn = (...path) =>
  readdirSync(join(packages, ...path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

/** ONNX Runtime comes with its libraries for every system in one package. */
function keepOneRuntime() {
  const runtimes = ['onnxruntime-node', 'bin', 'napi-v6'];
  for (const system of foldersIn(...runtimes)) {
    if (system !== platform) remove(...runtimes, system);
    else for (const each of foldersIn(...runtimes, system)) if (each !== arch) remove(...runtimes, system, each);
  }
}

/** Whole packages and folders: for browsers, for compilers, or a second form of the same code. */
const NEVER_LOADED = [
  ['onnxruntime-web'],
  ['typescript'],
  ['@types'],
  ['typeorm', 'browser'],
  ['zod', 'src'],
  ['@huggingface', 'transformers', 'src'],
  ['@huggingface', 'transformers', 'types'],
  // The other one is "libheif-wasm" of the package, which decode-heif.ts loads.
  ['libheif-js', 'libheif'],
  // The other one is "magick.wasm" of the package, which decode-with-magick.ts loads.
  ['@imagemagick', 'magick-wasm', 'dist', 'x64'],
];

const NEVER_READ = /\.(map|d\.[cm]?ts|tsbuildinfo|a)$|^(README|CHANGELOG|HISTORY)(\.(md|txt|markdown))?$/i;
const NOT_OF_THE_PROGRAM = new Set(['.github', 'test', 'tests', '__tests__', 'example', 'examples', 'benchmark']);

function pruneFiles(...folder) {
  const entries = readdirSync(join(packages, ...folder), { withFileTypes: true });
  const isPackage = entries.some(({ name }) => name === 'package.json');
  for (const entry of entries) {
    const path = [...folder, entry.name];
    if (entry.isDirectory()) {
      if (isPackage && NOT_OF_THE_PROGRAM.has(entry.name)) remove(...path);
      else pruneFiles(...path);
    } else if (NEVER_READ.test(entry.name)) remove(...path);
  }
}

keepOneRuntime();
for (const path of NEVER_LOADED) remove(...path);
pruneFiles();
