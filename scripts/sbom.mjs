// Writes sbom.cdx.json, the production packages in the CycloneDX format, from the lock file only.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './toolchain.mjs';

const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const options = ['--omit=dev', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
const printed = execFileSync(npm, ['sbom', ...options], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
const sbom = JSON.parse(printed);
// npm uses the name of the folder.
sbom.metadata.component.name = name;
writeFileSync(join(root, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
console.log(`sbom.cdx.json lists ${sbom.components.length} packages.`);
