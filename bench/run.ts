import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Report, type Bench } from './bench';
import { conditions, writeFigures } from './support/benchmarks-page';

const NOT_BENCHES = new Set(['bench', 'run']);

function names(): string[] {
  return readdirSync(__dirname, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => basename(entry.name, '.js'))
    .filter((name) => !NOT_BENCHES.has(name))
    .sort();
}

async function load(name: string): Promise<Bench> {
  return ((await import(join(__dirname, name))) as { bench: Bench }).bench;
}

async function list(): Promise<void> {
  console.log('npm run bench -- NAME, where NAME is one of');
  for (const name of names()) console.log(`  ${name.padEnd(18)}${(await load(name)).summary}`);
}

async function main(name: string | undefined): Promise<number> {
  if (name === undefined) {
    await list();
    return 0;
  }
  if (!names().includes(name)) {
    console.error(`There is no bench named ${name}.`);
    await list();
    return 2;
  }
  const bench = await load(name);
  const report = new Report(bench.name);
  console.log(`${bench.name}: ${bench.summary}`);
  const ran = conditions();
  await bench.run(report);
  await writeFigures(bench.name, ran, report.figures);
  return report.allReached ? 0 : 1;
}

main(process.argv[2])
  .then((code) => process.exit(code))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
