// Builds and checks a release in the folder release/VERSION from the installed packages: `npm run release [-- --image]`. The image requires a base
// image (BASE_IMAGE) and buildah or docker; the chart requires helm, the wheel Python with hatchling.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './toolchain.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = join(root, 'release', version);
const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
const run = (program, parameters, cwd = root) => {
  console.log(`> ${program} ${parameters.join(' ')}`);
  execFileSync(program, parameters, { cwd, stdio: 'inherit' });
};
const fail = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
  fail('There are changes that are not committed: a release is built from a commit.');

run('npm', ['run', '--silent', 'build']);
run('npm', ['run', '--silent', 'describe']);
run('npm', ['run', '--silent', 'notices']);
if (execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '')
  fail('openapi.json or THIRD-PARTY.md was behind: commit the new one, and try again.');
run('npm', ['test', '--', 'test/architecture']);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const left = [];

run('npm', ['run', '--silent', 'sbom']);
for (const file of ['sbom.cdx.json', 'openapi.json', 'CHANGELOG.md', 'LICENSE', 'THIRD-PARTY.md'])
  cpSync(join(root, file), join(out, file));

const typescript = join(root, 'sdk', 'typescript');
run('npm', ['ci', '--loglevel=error'], typescript);
run('npm', ['run', '--silent', 'build'], typescript);
run('npm', ['pack', '--silent', '--pack-destination', out], typescript);

const python = process.env['PYTHON'] ?? 'python3';
if (spawnSync(python, ['-c', 'import hatchling'], { stdio: 'ignore' }).status === 0)
  run(python, [
    '-m',
    'pip',
    'wheel',
    '--quiet',
    '--no-deps',
    '--no-build-isolation',
    '--wheel-dir',
    out,
    join(root, 'sdk', 'python'),
  ]);
else left.push(`the wheel (${python} has no hatchling; name another Python in PYTHON)`);

if (isThere('helm')) run('helm', ['package', join(root, 'helm', 'dataset-media-service'), '--destination', out]);
else left.push('the chart (helm is not on the path)');

if (process.argv.includes('--image')) {
  const builder = ['buildah', 'docker'].find(isThere) ?? fail('Neither buildah nor docker is on the path.');
  const name = `dataset-media-service:${version}`;
  const base = process.env['BASE_IMAGE'];
  const parameters = [
    ...(base ? ['--build-arg', `BASE_IMAGE=${base}`] : []),
    '-t',
    name,
    '-f',
    'docker/Dockerfile',
    '.',
  ];
  run(builder, builder === 'buildah' ? ['bud', '--isolation', 'chroot', ...parameters] : ['build', ...parameters]);
  const archive = join(out, `dataset-media-service-${version}.image.tar`);
  if (builder === 'buildah') run('buildah', ['push', name, `docker-archive:${archive}:${name}`]);
  else run('docker', ['save', '--output', archive, name]);
} else left.push('the image (--image builds it)');

const sums = readdirSync(out)
  .sort()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(out, file)))
        .digest('hex')}  ${file}`,
  );
writeFileSync(join(out, 'SHA256SUMS'), `${sums.join('\n')}\n`);
// Later API descriptions are compared with this one.
const released = join('test', 'fixtures', 'released-openapi.json.gz');
writeFileSync(join(root, released), gzipSync(readFileSync(join(root, 'openapi.json')), { level: 9 }));

console.log(`\nRelease ${version} is in release/${version}:\n${sums.join('\n')}`);
if (left.length > 0) console.log(`Left out: ${left.join('; ')}.`);
console.log(`Commit ${released}, which tests compare later API descriptions with.`);
