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

export const colourOf = ({ source, track_id: track }: ShownAnnotation, sources: readonly string[]): string =>
  track === null ? sourceColour(source, sources) : trackColour(track);

export interface Highlight {
  /** Pressed, until it is pressed again. */
  readonly kept: string | null;
  /** While the pointer or the focus is on it. */
  readonly passing: string | null;
}

export const NOTHING: Highlight = { kept: null, passing: null };
