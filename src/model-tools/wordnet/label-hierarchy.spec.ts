import { tinyWordNet } from '../../../test/support/tiny-wordnet';
import { labelHierarchy } from './label-hierarchy';
import { Nouns } from './nouns';

/** The parents of classes in a stand-in for WordNet, which has footwear beside clothing, and a seat belt below it. */
function parents(): Record<string, readonly string[]> {
  const { index, data } = tinyWordNet({
    synsets: {
      1: { names: ['covering'] },
      2: { names: ['clothing'], broader: [1] },
      3: { names: ['shirt'], broader: [2] },
      4: { names: ['seat belt'], broader: [2] },
      5: { names: ['footwear'], broader: [1] },
      6: { names: ['clog'], broader: [5] },
      7: { names: ['shoe'], broader: [5] },
      8: { names: ['sandal'], broader: [7] },
      9: { names: ['loafer'], broader: [7] },
    },
  });
  const nouns = Nouns.read(index, data);
  const classes = ['shirt', 'seat belt', 'clog', 'sandal', 'loafer'].map((label) => ({
    label,
    synset: nouns.sensesOf(label)[0]!,
  }));
  return Object.fromEntries(labelHierarchy(nouns, classes).map((found) => [found.label, found.parents]));
}

const SHOES = ['shoe', 'footwear', 'clothing'];

it('puts labels and groups where people expect them', () => {
  expect(parents()).toEqual({
    shirt: ['clothing'],
    'seat belt': [],
    clog: ['footwear', 'clothing'],
    sandal: SHOES,
    loafer: SHOES,
  });
});
