import { NO_VALUE, OTHER } from './tile-format';

/** Those of the legend, of other values and of none. */
const COLOURS = OTHER + 2;

/** Red, green and blue, 0 to 1. */
export type Colour = readonly [number, number, number];

export interface Palette {
  /** By place in the legend; then of other values, and of none. */
  readonly colours: readonly Colour[];
  /** Around points that lie over others. */
  readonly ground: Colour;
}

/** Its place in the palette. */
export const paletteIndex = (colour: number): number => (colour === NO_VALUE ? COLOURS - 1 : Math.min(colour, OTHER));

const tokenOf = (at: number): string =>
  at < OTHER ? `--series-${at + 1}` : at === OTHER ? '--series-other' : '--series-none';

export const cssColour = (colour: number): string => `var(${tokenOf(paletteIndex(colour))})`;

/** The browser resolves a token of the current theme only where it is used. */
function resolved(element: HTMLElement, token: string): Colour {
  element.style.color = `var(${token})`;
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number);
  return [red / 255, green / 255, blue / 255];
}

export function readPalette(within: HTMLElement): Palette {
  const probe = document.createElement('span');
  within.append(probe);
  const colours = Array.from({ length: COLOURS }, (_, at) => resolved(probe, tokenOf(at)));
  const ground = resolved(probe, '--bg');
  probe.remove();
  return { colours, ground };
}

/** Calls back when the colours change, because the system or the user chose light or dark. */
export function onThemeChange(listener: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  scheme.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    scheme.removeEventListener('change', listener);
    observer.disconnect();
  };
}

/** The colour of all points if colours have no meaning; not that of missing values. */
export const withAccent = ({ colours, ground }: Palette): Palette => ({
  colours: colours.map(() => colours[0]!),
  ground,
});
