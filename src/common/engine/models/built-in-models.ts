import { join } from 'node:path';

export const BUILT_IN_MODELS = join(__dirname, '..', '..', '..', '..', 'models');
