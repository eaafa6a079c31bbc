import type { Converter } from '../packages/converter';
import { labelsFile } from '../wordnet/wordnet-files';
import { photographsEncoder } from './photographs-encoder';

/** The model of the encoder, of which the classes are used, and their labels. */
export const photographsTagger: Converter = async (members) => {
  const labels = labelsFile(members);
  const files = await photographsEncoder(members);
  return new Map([
    ['model.onnx', files.get('model.onnx')!],
    ['labels.json', labels],
  ]);
};
