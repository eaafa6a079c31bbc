import { useSyncExternalStore } from 'react';

/** The facts that tiles can show below their picture; fields of the dataset by name. */
export const TILE_FACTS = ['name', 'labels', 'tags', 'caption', 'pixels', 'file_size', 'uniqueness', 'issues'] as const;
export type TileFact = (typeof TILE_FACTS)[number];
export type ShownFact = TileFact | `field:${string}`;

/** In pixels; tiles grow to fill the row. */
export const TILE_WIDTHS = [96, 120, 148, 188, 240, 320] as const;

export interface TileSettings {
  /** A place in the list of widths. */
  readonly size: number;
  readonly shown: readonly ShownFact[];
}

const KEY = 'dms.tiles';
/** Fields of many datasets may be chosen. */
const MOST_KEPT = 100;
const DEFAULT: TileSettings = { size: 2, shown: [] };

const isFact = (value: unknown): value is ShownFact =>
  typeof value === 'string' && (value.startsWith('field:') || TILE_FACTS.some((fact) => fact === value));

/** Stored values may come from another version or from people. */
export function readTileSettings(text: string | null): TileSettings {
  try {
    const { size, shown } = JSON.parse(text ?? '{}') as Partial<Record<keyof TileSettings, unknown>>;
    return {
      size: typeof size === 'number' && TILE_WIDTHS[size] !== undefined ? size : DEFAULT.size,
      shown: Array.isArray(shown) ? [...new Set(shown.filter(isFact))].slice(0, MOST_KEPT) : DEFAULT.shown,
    };
  } catch {
    return DEFAULT;
  }
}

let settings: TileSettings | undefined;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = (): TileSettings => (settings ??= readTileSettings(localStorage.getItem(KEY)));

function change(part: Partial<TileSettings>): void {
  settings = { ...current(), ...part };
  localStorage.setItem(KEY, JSON.stringify(settings));
  for (const listener of listeners) listener();
}

/** Of this browser, for all datasets. */
export const useTileSettings = (): readonly [TileSettings, typeof change] => [
  useSyncExternalStore(subscribe, current),
  change,
];
