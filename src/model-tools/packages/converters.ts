import { photographsEncoder } from '../photographs/photographs-encoder';
import { convertCenterNet } from '../tfjs/convert-centernet';
import type { Converter } from './converter';

/** By the name that entries of the catalogue use. */
export const CONVERTERS: Readonly<Record<string, Converter>> = {
  copy: (members) => Promise.resolve(members),
  'photographs-encoder': photographsEncoder,
  'tfjs-centernet': convertCenterNet,
};
