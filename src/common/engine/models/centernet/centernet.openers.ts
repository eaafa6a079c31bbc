import { createRequire } from 'node:module';
import type { CenterNetModel } from './centernet-detector';

/** Loads libraries only when the first model is opened. */
const load = createRequire(__filename);

/** By type, a function that opens the model. */
export const CENTERNET_OPENERS = {
  OBJECT_DETECTION: (model: CenterNetModel) => {
    const { openCenterNet } = load('./centernet-detector') as typeof import('./centernet-detector');
    return openCenterNet(model);
  },
};
