import { TextEmbeddings } from '../src/common/engine/models/kept-models';
import { ModelRegistry } from '../src/common/engine/models/model-registry';
import { DEFAULT_TEXT_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import type { Bench, Report } from './bench';
import { CAPTION_PAIRS } from './support/caption-pairs';
import { longestTurn } from './support/longest-turn';

const MODEL = process.env['MODEL'] ?? 'sentences_v00';
/** The least similarity that the console searches with. */
const LEAST_SIMILARITY = 0.2;
const TIMED = 2000;

interface Retrieval {
  readonly first: number;
  readonly amongFive: number;
  /** The parts of paraphrases and of other captions that are found at LEAST_SIMILARITY. */
  readonly found: number;
  readonly others: number;
}

async function retrieval(texts: TextEmbeddings, model: string): Promise<Retrieval> {
  const captions = await texts.embed(
    model,
    CAPTION_PAIRS.map(({ caption }) => caption),
  );
  const paraphrases = await texts.embed(
    model,
    CAPTION_PAIRS.map(({ paraphrase }) => paraphrase),
  );
  const { unrelated, matching } = texts.calibrationOf(model) ?? { unrelated: 0, matching: 1 };
  const counts = { first: 0, amongFive: 0, found: 0, others: 0 };
  for (const [at, paraphrase] of paraphrases.entries()) {
    const similarities = captions.map((caption) => (cosine(caption, paraphrase) - unrelated) / (matching - unrelated));
    const rank = similarities.filter((similarity) => similarity > similarities[at]!).length;
    const above = similarities.filter((similarity) => similarity >= LEAST_SIMILARITY).length;
    const isFound = similarities[at]! >= LEAST_SIMILARITY;
    counts.first += Number(rank < 1);
    counts.amongFive += Number(rank < 5);
    counts.found += Number(isFound);
    counts.others += above - Number(isFound);
  }
  const pairs = CAPTION_PAIRS.length;
  return {
    first: counts.first / pairs,
    amongFive: counts.amongFive / pairs,
    found: counts.found / pairs,
    others: counts.others / (pairs * (pairs - 1)),
  };
}

function cosine(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  if (a == null || b == null) return 0;
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

/** Encodes many captions, as indexing does. */
async function measureSpeed(report: Report, texts: TextEmbeddings): Promise<void> {
  const captions = Array.from({ length: TIMED }, (_, at) => CAPTION_PAIRS[at % CAPTION_PAIRS.length]!.caption);
  const before = process.cpuUsage();
  const began = performance.now();
  const turn = await longestTurn(() => texts.embed(MODEL, captions));
  const perSecond = TIMED / ((performance.now() - began) / 1000);
  const { user, system } = process.cpuUsage(before);
  report.note(`${perSecond.toFixed(0)} captions a second`);
  const minutes = (user + system) / TIMED / 60;
  report.figure('processor time for a million captions', minutes, 'min', '<=60', minutes <= 60);
  report.figure('longest turn of the event loop meanwhile, CPU', turn, 'ms', '<=50', turn <= 50);
}

async function run(report: Report): Promise<void> {
  const dataDir = process.env['DATA_DIR'] ?? 'data';
  const registry = await ModelRegistry.load(process.env['MODELS_DIR'] ?? null, { dataDir });
  if (!registry.has(MODEL)) {
    report.note(`The model ${MODEL} is not installed in ${dataDir}: npm run models -- install ${MODEL}`);
    return;
  }
  const texts = new TextEmbeddings(registry);
  const ofModel = await retrieval(texts, MODEL);
  const ofWords = await retrieval(texts, DEFAULT_TEXT_MODEL);
  report.table(
    Object.entries({ [MODEL]: ofModel, [DEFAULT_TEXT_MODEL]: ofWords }).map(([model, found]) => ({
      model,
      'R@1': found.first.toFixed(3),
      'R@5': found.amongFive.toFixed(3),
      [`paraphrases at ${LEAST_SIMILARITY}`]: found.found.toFixed(3),
      [`others at ${LEAST_SIMILARITY}`]: found.others.toFixed(4),
    })),
  );
  report.figure(`R@1 of paraphrases, ${MODEL}`, ofModel.first, '', '>=0.85', ofModel.first >= 0.85);
  report.figure(`R@5 of paraphrases, ${MODEL}`, ofModel.amongFive, '', '>=0.95', ofModel.amongFive >= 0.95);
  const better = ofModel.first - ofWords.first;
  report.figure(`R@1 of paraphrases, more than ${DEFAULT_TEXT_MODEL}`, better, '', '>0', better > 0);
  await measureSpeed(report, texts);
  await texts.close();
}

export const bench: Bench = {
  name: 'captions',
  summary: 'captions found by paraphrases in other words (`MODEL=id` for another text model than sentences_v00)',
  run,
};
