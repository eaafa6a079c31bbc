import { progressOf, resolve } from './consensus';

const said = (...choices: string[]) => choices.map((choice) => ({ choice }));

describe('the consensus of answers', () => {
  it.each([
    ['waits for enough answers', 'vote', 2, said('a'), { needed: 2 }],
    ['is the answer of one', 'vote', 1, said('a'), { agreed: { choice: 'a' } }],
    ['is that of most', 'vote', 3, said('a', 'b', 'a'), { agreed: { choice: 'a' } }],
    ['asks one more while answers are tied', 'vote', 2, said('a', 'b'), { needed: 3 }],
    ['asks on while all differ', 'vote', 2, said('a', 'b', 'c'), { needed: 4 }],
    ['ends when the tie is broken', 'vote', 2, said('a', 'b', 'b'), { agreed: { choice: 'b' } }],
    ['asks a third where two differ', 'third', 2, said('a', 'b'), { needed: 3 }],
    ['is what the third says', 'third', 2, said('a', 'b', 'c'), { agreed: { choice: 'c' } }],
    ['needs no third where all agree', 'third', 3, said('a', 'a', 'a'), { agreed: { choice: 'a' } }],
  ] as const)('%s', (_, consensus, agreement, answers, expected) => {
    expect(resolve(answers, agreement, consensus)).toEqual(expected);
  });

  it('counts skips for the order, and ends with a flag', () => {
    const rules = { question: { type: 'choose', text: null, options: [], source: 's' }, agreement: 2 } as const;
    const queue = { ...rules, consensus: 'vote', reviewed: true } as const;
    const answered = { verdict: 'answer', answer: { choice: 'a' } } as const;
    const skipped = { verdict: 'skip', answer: null } as const;
    expect(progressOf([], queue, false)).toMatchObject({ state: 'open', answers: 0, needed: 2, turn: 0 });
    expect(progressOf([answered, skipped], queue, false)).toMatchObject({ state: 'skipped', answers: 1, turn: 2 });
    expect(progressOf([answered, answered], queue, false)).toMatchObject({ state: 'to_review' });
    expect(progressOf([answered, answered], queue, true)).toMatchObject({ state: 'done' });
    expect(progressOf([{ verdict: 'flag', answer: null }], queue, false)).toMatchObject({ state: 'flagged' });
  });
});
