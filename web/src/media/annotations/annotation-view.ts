import type { ShownAnnotation } from './shapes';

/** What of the annotations is shown. It stays from one picture to the next. */
export interface AnnotationView {
  readonly hidden: ReadonlySet<string>;
  /** Annotations with less confidence are not shown; those without confidence are. */
  readonly least: number;
}

export const ALL: AnnotationView = { hidden: new Set(), least: 0 };

export const isConfident = ({ confidence }: Pick<ShownAnnotation, 'confidence'>, { least }: AnnotationView): boolean =>
  confidence === null || confidence >= least;

export const shownIn = (annotations: readonly ShownAnnotation[], view: AnnotationView): readonly ShownAnnotation[] =>
  annotations.filter((each) => !view.hidden.has(each.source) && isConfident(each, view));

/** Of tokens.css. */
const COLOURS = 12;
/** What people say, also if the dataset has many sources. */
export const GROUND_TRUTH = 'ground_truth';

/** The same for a source in all pictures of a dataset, as long as it has the same sources. */
export function sourceColour(source: string, sources: readonly string[]): string {
  const others = sources.filter((name) => name !== GROUND_TRUTH);
  const colour = source === GROUND_TRUTH ? 1 : 2 + (Math.max(0, others.indexOf(source)) % (COLOURS - 1));
  return `var(--on-picture-${colour})`;
}

/** The same for a track in all frames. */
function trackColour(track: string): string {
  let hash = 0;
  for (let at = 0; at < track.length; at++) hash = (Math.imul(hash, 31) + track.charCodeAt(at)) >>> 0;
  return `var(--on-picture-${(hash % COLOURS) + 1})`;
}

/** What people say has the colours that the label set of the dataset has for labels. */
export function colourOf(
  { source, track_id: track, label }: ShownAnnotation,
  sources: readonly string[],
  ofLabels: ReadonlyMap<string, string>,
): string {
  if (track !== null) return trackColour(track);
  return (source === GROUND_TRUTH ? ofLabels.get(label) : undefined) ?? sourceColour(source, sources);
}

/** Whether white letters are read on a colour of a label set; all other colours are light. */
export function isDark(colour: string): boolean {
  if (!colour.startsWith('#')) return false;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  // Less than what has the same contrast to black and white.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.179;
}

/** How an annotation is drawn where a picture is looked at with an evaluation. */
export interface DrawnOutcome {
  readonly colour: string;
  /** Predictions are. */
  readonly isDashed: boolean;
  /** Beside its label; undefined where nothing is to say. */
  readonly text: string | undefined;
}

export interface Highlight {
  /** Pressed, until it is pressed again. */
  readonly kept: string | null;
  /** While the pointer or the focus is on it. */
  readonly passing: string | null;
}

export const NOTHING: Highlight = { kept: null, passing: null };
