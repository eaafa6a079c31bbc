export const LABEL_ATTRIBUTE_TYPES = ['boolean', 'number', 'text', 'choice'] as const;

export interface LabelAttribute {
  readonly name: string;
  readonly type: (typeof LABEL_ATTRIBUTE_TYPES)[number];
  /** Of a choice. */
  readonly values?: readonly string[];
}

export interface SetLabel {
  readonly name: string;
  /** As `#rrggbb`. */
  readonly colour: string | null;
  /** One character. */
  readonly hotKey: string | null;
  readonly attributes: readonly LabelAttribute[];
}

/** The labels that people give in a dataset. */
export interface LabelSet {
  readonly labels: readonly SetLabel[];
  /** Whether people may give no others, nor attributes that they do not have. */
  readonly closed: boolean;
}

export const NO_LABEL_SET: LabelSet = { labels: [], closed: false };
