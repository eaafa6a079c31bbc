import { clamped, fitted, scaleOf, zoomOf, type Size, type View } from './viewport';

export const COLOURINGS = ['cluster', 'label', 'tag', 'issue', 'batch', 'outcome', 'none'] as const;
export type Colouring = (typeof COLOURINGS)[number];

const VIEW = 'view';
const COLOUR = 'colour';
const EVALUATION = 'evaluation';
const DEFAULT_COLOURING: Colouring = 'cluster';

export const colouringOf = (params: URLSearchParams): Colouring =>
  COLOURINGS.find((each) => each === params.get(COLOUR)) ?? DEFAULT_COLOURING;

/** Without default values, so that addresses stay short. */
export function withColouring(params: URLSearchParams, colouring: Colouring): URLSearchParams {
  const next = new URLSearchParams(params);
  if (colouring !== 'outcome') next.delete(EVALUATION);
  if (colouring === DEFAULT_COLOURING) next.delete(COLOUR);
  else next.set(COLOUR, colouring);
  return next;
}

/** The id of the evaluation whose outcomes are the colours, if the address has it. */
export const evaluationOf = (params: URLSearchParams): string | null => params.get(EVALUATION);

export function withEvaluation(params: URLSearchParams, evaluation: string): URLSearchParams {
  const next = new URLSearchParams(params);
  next.set(EVALUATION, evaluation);
  return next;
}

/** The middle and the zoom, `X,Y,ZOOM`; null where the whole map is in sight. */
export function textOfView(view: View, size: Size): string | null {
  const whole = fitted(size);
  const text = (each: View): string => `${each.x.toFixed(4)},${each.y.toFixed(4)},${zoomOf(each, size).toFixed(2)}`;
  return text(view) === text(whole) ? null : text(view);
}

/** The whole map where the text is none of a view. */
export function viewOf(text: string | null, size: Size, mostScale: number): View {
  const [x = NaN, y = NaN, zoom = NaN, ...more] = (text ?? '').split(',').map(Number);
  if (more.length > 0 || ![x, y, zoom].every(Number.isFinite)) return fitted(size);
  return clamped({ x, y, scale: scaleOf(zoom, size) }, size, mostScale);
}

export const viewText = (params: URLSearchParams): string | null => params.get(VIEW);

export function withViewText(params: URLSearchParams, text: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  if (text === null) next.delete(VIEW);
  else next.set(VIEW, text);
  return next;
}
