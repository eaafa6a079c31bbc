import { tinyImageNet } from '../../../test/support/tiny-wordnet';
import { madeNetwork, torchFile } from '../../../test/support/torch-files';
import { WeightsRefusedError } from '../packages/converter';
import { photographsEncoder } from './photographs-encoder';
import { photographsTagger } from './photographs-tagger';

const WEIGHTS = torchFile(madeNetwork({ stem: 4, blocks: [], features: 400, classes: 330 }));

describe('photographsTagger', () => {
  it('takes the model of the encoder, and labels with parents', async () => {
    const members = new Map([...tinyImageNet(), ['weights', WEIGHTS]]);
    const files = await photographsTagger(members);
    expect([...files.keys()]).toEqual(['model.onnx', 'labels.json']);
    expect(files.get('model.onnx')).toEqual((await photographsEncoder(members)).get('model.onnx'));
    const labels = JSON.parse(Buffer.from(files.get('labels.json')!).toString()) as object[];
    expect(labels).toContainEqual({ label: 'beagle', parents: ['dog', 'animal'] });
  });

  it.each([
    ['labels', new Map([['weights', WEIGHTS]])],
    ['weights', tinyImageNet()],
  ])('refuses packages without %s', async (_, members) => {
    await expect(photographsTagger(members)).rejects.toThrow(WeightsRefusedError);
  });
});
