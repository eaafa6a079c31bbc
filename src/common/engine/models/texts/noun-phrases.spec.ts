import { nounPhrasesIn } from './noun-phrases';
import { singularsOf } from './singulars';

const NOUNS = new Set(
  'photo group dog hat cowboy hat shoe person glass orange lemon knife box t shirt ice cream church mouse goose story jeans'
    .split(' ')
    .concat('cowboy hat', 't shirt', 'ice cream'),
);
NOUNS.delete('cowboy');
NOUNS.delete('ice');
NOUNS.delete('cream');

const nounsIn = (text: string): string[] =>
  nounPhrasesIn(text, { has: (noun) => NOUNS.has(noun), longest: 8 }).map(({ noun }) => noun);

it.each<[string, string[]]>([
  ['hat', ['hat']],
  ['A Cowboy Hat', ['cowboy hat']],
  ['dogs with cowboy hats', ['dog', 'cowboy hat']],
  ['a T-shirt, jeans', ['t shirt', 'jeans']],
  ['ICE-CREAM!', ['ice cream']],
  ['dog dogs DOG', ['dog']],
  ['people in churches', ['person', 'church']],
  ['mice and geese', ['mouse', 'goose']],
  ['knives, boxes, glasses', ['knife', 'box', 'glass']],
  ['raindrops on glass', ['glass']],
  ['astronaut', []],
  ['', []],
  ['…', []],
])('finds the nouns of %j', (text, expected) => expect(nounsIn(text)).toEqual(expected));

it.each<[string, string[]]>([
  ['no dogs', []],
  ['not a dog but a hat', ['hat']],
  ['a hat without shoes', ['hat']],
  ['without hats and shoes, a dog', ['dog']],
  ["it isn't a dog", []],
  ['a church without people with a dog', ['church', 'dog']],
])('leaves out what %j says is absent', (text, expected) => expect(nounsIn(text)).toEqual(expected));

it.each<[string, string[]]>([
  ['two red hats', ['hat']],
  ['an orange hat', ['hat']],
  ['an orange', ['orange']],
  ['oranges and lemons', ['orange', 'lemon']],
  ['3 dogs', ['dog']],
  ['a photo of a pair of shoes', ['shoe']],
  ['photos of groups of dogs', ['dog']],
])('ignores numbers, colours and what is about the picture in %j', (text, expected) =>
  expect(nounsIn(text)).toEqual(expected),
);

it('tells the words of the text', () =>
  expect(nounPhrasesIn('Cowboy  Hats', { has: (noun) => NOUNS.has(noun), longest: 8 })).toEqual([
    { text: 'cowboy hats', noun: 'cowboy hat' },
  ]));

it('reads only the beginning of a long text', () =>
  expect(nounsIn(`dog ${'x '.repeat(5_000)} hat ${'('.repeat(100_000)}`)).toEqual(['dog']));

it.each<[string, string[]]>([
  ['stories', ['stories', 'story', 'storie']],
  ['shoes', ['shoes', 'shoe', 'sho']],
  ['glass', ['glass']],
  ['women', ['women', 'woman']],
  ['loaves', ['loaves', 'loaf', 'loafe', 'loave']],
])('knows what %s may be the plural of', (word, expected) => expect(singularsOf(word)).toEqual(expected));
