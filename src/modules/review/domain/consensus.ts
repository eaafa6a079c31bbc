import { isSame, keyOf } from './answer';
import type { Answer } from './question';
import type { Consensus, Decision, ItemState, QueueRules, Verdict } from './review-queue';

/** How many more answers an item needs, or the one that was agreed on. */
export type Resolution = { readonly agreed: Answer } | { readonly needed: number };

/** The answers in the order in which they were given. With `vote` the most frequent one wins, with `third` that of one more person where they differ. */
export function resolve(answers: readonly Answer[], agreement: number, consensus: Consensus): Resolution {
  if (answers.length < agreement) return { needed: agreement };
  const first = answers.slice(0, agreement);
  if (first.every((answer) => isSame(answer, first[0]!))) return { agreed: first[0]! };
  if (consensus === 'third')
    return answers.length > agreement ? { agreed: answers[agreement]! } : { needed: agreement + 1 };
  const [best, next] = mostFrequent(answers);
  return best!.votes > (next?.votes ?? 0) ? { agreed: best!.answer } : { needed: answers.length + 1 };
}

function mostFrequent(answers: readonly Answer[]): { readonly answer: Answer; readonly votes: number }[] {
  const votes = new Map<string, { answer: Answer; votes: number }>();
  for (const answer of answers) {
    const known = votes.get(keyOf(answer));
    if (known === undefined) votes.set(keyOf(answer), { answer, votes: 1 });
    else known.votes += 1;
  }
  return [...votes.values()].sort((a, b) => b.votes - a.votes);
}

export interface ItemProgress {
  readonly state: ItemState;
  readonly answer: Answer | null;
  /** Answers so far, and how many there have to be. */
  readonly answers: number;
  readonly needed: number;
  /** Items with a lower turn are handed out first. */
  readonly turn: number;
}

/** Where an item stands after these decisions, which are in the order of their time. */
export function progressOf(
  decisions: readonly Pick<Decision, 'verdict' | 'answer'>[],
  { agreement, consensus, reviewed }: QueueRules,
  isHoneypot: boolean,
): ItemProgress {
  const answers = decisions.flatMap(({ answer }) => answer ?? []);
  const count = (wanted: Verdict): number => decisions.filter(({ verdict }) => verdict === wanted).length;
  const resolution = resolve(answers, agreement, consensus);
  const agreed = 'agreed' in resolution ? resolution.agreed : null;
  const needed = 'needed' in resolution ? resolution.needed : answers.length;
  const known = { answer: agreed, answers: answers.length, needed, turn: answers.length + count('skip') };
  if (count('flag') > 0) return { ...known, state: 'flagged' };
  if (agreed !== null) return { ...known, state: reviewed && !isHoneypot ? 'to_review' : 'done' };
  return { ...known, state: count('skip') > 0 ? 'skipped' : 'open' };
}
