import type { Annotation, SaidAnnotation } from '../../../common/engine/annotations/annotation';
import { ValidationFailedError } from '../../../common/platform/http/zod-validation.pipe';
import type { Edit } from '../../annotations';
import type { Answer, Question } from './question';
import type { ReviewQueue } from './review-queue';

export interface GivenAnswer {
  readonly labels?: readonly string[] | undefined;
  readonly choice?: string | undefined;
  readonly accepted?: boolean | undefined;
}

const FIELDS = ['labels', 'choice', 'accepted'] as const;
type Field = (typeof FIELDS)[number];

const FIELD_OF: Readonly<Record<Question['type'], Field | undefined>> = {
  labels: 'labels',
  choose: 'choice',
  accept: 'accepted',
  boxes: undefined,
};

function refuse(field: Field, msg: string, input: unknown, place: readonly (string | number)[]): never {
  const type = msg === 'Field required' ? 'missing' : 'invalid_value';
  throw new ValidationFailedError([{ type, loc: [...place, field], msg, input: input ?? null }]);
}

/** The answer in its canonical form: equal answers are equal as JSON. */
export function answerTo(
  { type, options }: Question,
  given: GivenAnswer,
  place: readonly (string | number)[] = ['body'],
): Answer {
  const wanted = FIELD_OF[type];
  for (const field of FIELDS) {
    if (field === wanted && given[field] === undefined) refuse(field, 'Field required', undefined, place);
    if (field !== wanted && given[field] !== undefined)
      refuse(field, `Input should be omitted for a question of the type ${type}`, given[field], place);
  }
  const isOption = (label: string): boolean => options.length === 0 || options.includes(label);
  switch (type) {
    case 'labels': {
      const other = given.labels!.find((label) => !isOption(label));
      if (other !== undefined) refuse('labels', 'Input should have options of the question only', other, place);
      return { labels: [...new Set(given.labels)].sort() };
    }
    case 'choose':
      if (!isOption(given.choice!)) refuse('choice', 'Input should be an option of the question', given.choice, place);
      return { choice: given.choice! };
    case 'accept':
      return { accepted: given.accepted! };
    case 'boxes':
      return { done: true };
  }
}

export const isSame = (one: Answer | null, other: Answer | null): boolean => keyOf(one) === keyOf(other);

/** As text. */
export const keyOf = (answer: Answer | null): string => JSON.stringify(answer);

/** The labels that an answer is about, for counts. */
export function labelsOf(answer: Answer): readonly string[] {
  if ('labels' in answer) return answer.labels;
  return 'choice' in answer ? [answer.choice] : [];
}

/** Whether answers change annotations. */
export const isApplied = ({ question: { type }, itemSource }: Pick<ReviewQueue, 'question' | 'itemSource'>): boolean =>
  type === 'labels' || type === 'choose' || (type === 'accept' && itemSource !== null);

/** How the answer to an item that is a medium changes the source of the question. */
export function editsOfMedium(answer: Answer, { options }: Question): readonly Edit[] {
  if ('labels' in answer || 'choice' in answer) return [{ kind: 'relabel', labels: labelsOf(answer), among: options }];
  return [];
}

const NOT_SAID: ReadonlySet<string> = new Set(['version', 'confidence', 'createdBy', 'createdAt', 'updatedAt']);

/** People are sure. */
const saidBy = (annotation: Annotation) =>
  Object.fromEntries(Object.entries(annotation).filter(([name]) => !NOT_SAID.has(name))) as SaidAnnotation;

/** How the answer to an item that is an annotation changes the source of the question. */
export function editsOfAnnotation(answer: Answer, annotation: Annotation, isOwn: boolean): readonly Edit[] {
  const { id } = annotation;
  const said = saidBy(annotation);
  if ('choice' in answer) return [{ kind: 'merge', given: { ...said, label: answer.choice } }];
  if (!('accepted' in answer)) return [];
  if (!answer.accepted) return isOwn ? [{ kind: 'remove', given: { id } }] : [];
  return isOwn ? [] : [{ kind: 'merge', given: said }];
}
