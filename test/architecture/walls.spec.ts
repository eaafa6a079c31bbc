import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '..', '..');

interface Violation {
  readonly rule: { readonly name: string };
  readonly from: string;
}

async function violations(folder: string): Promise<Violation[]> {
  const cruiser = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const report = run(
    process.execPath,
    [cruiser, 'src', 'sample', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    {
      cwd: folder,
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  // The exit code is the number of violations.
  const { stdout } = await report.catch((error: unknown) => error as { stdout: string });
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

/** A circular dependency is reported for one of its files. */
const PLANTED: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['common-knows-no-domain', 'src/common/platform/http/planted.ts', "import '../../../modules/tasks/domain/task';"],
  ['sample-knows-no-program', 'sample/planted.ts', "import '../src/common/platform/http/principal';"],
  ['sample-has-one-door', 'src/common/engine/models/planted-2.ts', "import '../../../../sample/picture';"],
  ['platform-knows-no-engine', 'src/common/platform/http/planted-2.ts', "import '../../engine/models/model-manifest';"],
  ['engine-speaks-no-http', 'src/common/engine/models/planted.ts', "import '../../platform/http/principal';"],
  ['engine-knows-no-nest', 'src/common/engine/vectors/planted.ts', "import '@nestjs/core';"],
  [
    'vectors-and-similarity-stand-apart',
    'src/common/engine/vectors/planted-2.ts',
    "import '../similarity/vectors/top-lists';",
  ],
  ['modules-have-one-door', 'src/modules/search/planted.ts', "import '../tasks/domain/task';"],
  ['operations-change-datasets', 'src/modules/views/planted.ts', "import '../datasets/for-operations';"],
  ['modules-point-down', 'src/modules/datasets/planted.ts', "import '../tasks';"],
  ['tables-stand-below-operations', 'src/modules/tables/change/planted.ts', "import '../../ingestion';"],
  ['ingestion-shares-below', 'src/modules/ingestion/sources/planted.ts', "import '../add/start-addition';"],
  ['versions-know-no-search', 'src/modules/versions/planted.ts', "import '../search';"],
  ['ingestion-operations-stand-apart', 'src/modules/ingestion/sync/planted.ts', "import '../add/start-addition';"],
  ['ingestion-operations-stand-apart', 'src/modules/ingestion/planted/planted.ts', "import '../add/start-addition';"],
  ['ingestion-shares-below', 'src/modules/ingestion/uploads/planted.ts', "import '../sweeps/sweep.schedule';"],
  ['domain-is-plain', 'src/modules/tasks/domain/planted.ts', "import '@nestjs/common';"],
  ['sql-lives-in-persistence', 'src/modules/tasks/planted.ts', "import 'typeorm';"],
  ['repositories-stay-in-persistence', 'src/modules/tasks/planted-2.ts', "import '@nestjs/typeorm';"],
  ['controllers-ask-use-cases', 'src/modules/webhooks/http/planted.ts', "import '../persistence/webhook.repository';"],
  ['parquet-stands-alone', 'src/modules/export/parquet/planted.ts', "import '../domain/export';"],
  ['packages-have-one-door', 'src/modules/export/planted.ts', "import 'hyparquet-writer/src/thrift.js';"],
  ['everything-is-used', 'src/common/engine/models/planted.runtime.ts', ''],
  ['no-cycles', 'src/common/platform/http/planted-ring-2.ts', "import './planted-ring';"],
];

describe('dependency rules', () => {
  let copy: string;
  let found: string[];

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'dms-walls-'));
    for (const name of ['src', 'sample', 'tsconfig.json', 'package.json', '.dependency-cruiser.cjs']) {
      await cp(join(root, name), join(copy, name), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    for (const [, file, text] of PLANTED) {
      await mkdir(dirname(join(copy, file)), { recursive: true });
      await writeFile(join(copy, file), `${text}\nexport {};\n`);
    }
    await writeFile(join(copy, 'src/common/platform/http/planted-ring.ts'), "import './planted-ring-2';\nexport {};\n");
    found = (await violations(copy)).map(({ rule, from }) => `${rule.name} ${from}`);
  });

  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('are followed', () => expect(found.filter((each) => !each.includes('/planted'))).toEqual([]));

  it.each(PLANTED)('report a planted violation: %s', (rule, file) => expect(found).toContain(`${rule} ${file}`));
});
