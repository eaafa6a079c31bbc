import { photographsEncoder } from '../photographs/photographs-encoder';
import { photographsTagger } from '../photographs/photographs-tagger';
import { convertCenterNet } from '../tfjs/convert-centernet';
import { wordsConverter } from '../wordnet/wordnet-files';
import type { Converter } from './converter';

/** By the name that entries of the catalogue use. */
export const CONVERTERS: Readonly<Record<string, Converter>> = {
  copy: (members) => Promise.resolve(members),
  'photographs-encoder': together(photographsEncoder, wordsConverter),
  'photographs-tagger': photographsTagger,
  'tfjs-centernet': convertCenterNet,
};

/** Makes the files of all. */
function together(...converters: readonly Converter[]): Converter {
  return async (members) => {
    const files = await Promise.all(converters.map((convert) => convert(members)));
    return new Map(files.flatMap((each) => [...each]));
  };
}
