import { stemOf } from './text-words';

/** The examples of M. F. Porter, "An algorithm for suffix stripping" (1980), each taken through all steps. */
const PUBLISHED = `
  caresses:caress ponies:poni ties:ti caress:caress cats:cat feed:feed agreed:agre plastered:plaster bled:bled
  motoring:motor sing:sing conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall
  hissing:hiss fizzed:fizz failing:fail filing:file happy:happi sky:sky relational:relat conditional:condit
  rational:ration valenci:valenc hesitanci:hesit digitizer:digit conformabli:conform radicalli:radic
  differentli:differ vileli:vile analogousli:analog vietnamization:vietnam predication:predic operator:oper
  feudalism:feudal decisiveness:decis hopefulness:hope callousness:callous formaliti:formal sensitiviti:sensit
  sensibiliti:sensibl triplicate:triplic formative:form formalize:formal electriciti:electr electrical:electr
  hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin gyroscopic:gyroscop
  adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend
  adoption:adopt homologou:homolog communism:commun activate:activ angulariti:angular homologous:homolog
  effective:effect bowdlerize:bowdler probate:probat rate:rate cease:ceas controll:control roll:roll
  generalizations:gener oscillators:oscil
`;

describe('stemOf', () => {
  it.each(
    PUBLISHED.trim()
      .split(/\s+/)
      .map((pair) => pair.split(':') as [string, string]),
  )('makes %s %s', (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });

  it('gives the forms of a word the same stem', () => {
    for (const forms of [
      ['run', 'runs', 'running'],
      ['sit', 'sits', 'sitting'],
      ['yellow', 'yellows'],
      ['play', 'plays', 'played', 'playing'],
      ['camera', 'cameras'],
    ])
      expect(new Set(forms.map(stemOf)).size).toBe(1);
  });

  it('leaves words that are not English unchanged', () => {
    for (const word of ['', 'is', 'ös', 'собаки', '2024s', '犬', 'a1b2ing']) expect(stemOf(word)).toBe(word);
  });
});
