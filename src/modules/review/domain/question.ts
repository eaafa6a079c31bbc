export const QUESTION_TYPES = ['labels', 'accept', 'choose', 'boxes'] as const;
export type QuestionType = (typeof QUESTION_TYPES)[number];

export interface Question {
  readonly type: QuestionType;
  readonly text: string | null;
  /** Labels that may be given; of `choose` at least two. */
  readonly options: readonly string[];
  /** The source that answers are written to. */
  readonly source: string;
}

/** Of the question's type; `boxes` are drawn by edits, so their answer is that they are done. */
export type Answer =
  | { readonly labels: readonly string[] }
  | { readonly choice: string }
  | { readonly accepted: boolean }
  | { readonly done: true };
