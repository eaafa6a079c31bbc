import { DEFAULT_IMAGE_MODEL } from '../src/common/platform/config/runtime-settings.schema';
import { ModelRegistry } from '../src/common/engine/models/model-registry';
import type { Bench } from './bench';
import { labelledDrawings } from './support/labelled-drawings';
import { MIXTURES, mixedSet } from './support/labelled-sets';
import { noteIfNotCompared, reportMislabels } from './support/mislabels';

const PER_FAMILY = Number(process.env['PER_FAMILY'] ?? 200);
const DRAWING_SEED = 11;

export const bench: Bench = {
  name: 'label-judges',
  summary: 'labels exchanged in mixtures and drawings, found again, compared with cleanlab',
  async run(report) {
    noteIfNotCompared(report);
    for (const mixture of MIXTURES) await reportMislabels(report, mixedSet(mixture));
    const model = (await ModelRegistry.load(null)).get('IMAGE_ENCODING', DEFAULT_IMAGE_MODEL);
    for (const set of await labelledDrawings(model, PER_FAMILY, DRAWING_SEED)) await reportMislabels(report, set);
  },
};
