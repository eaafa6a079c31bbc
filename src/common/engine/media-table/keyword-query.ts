/** A boolean condition on the words of a caption. */
export type KeywordQuery =
  | { readonly kind: 'word'; readonly word: string }
  /** These words, one after the other. */
  | { readonly kind: 'phrase'; readonly words: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly KeywordQuery[] }
  /** Excludes rows from those that the other parts of an `and` find; anywhere else it finds nothing. */
  | { readonly kind: 'not'; readonly part: KeywordQuery };
