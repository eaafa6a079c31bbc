import { useState } from 'react';
import { useEvents } from '../../design/events';
import { takesLetters } from '../key-target';

/** One after the other. */
const CONTRASTS = [1, 1.5, 2, 3];
const BRIGHTNESSES = [1, 1.5, 2.5, 0.6];

export interface PictureLight {
  readonly contrast: number;
  readonly brightness: number;
  readonly onContrast: () => void;
  readonly onBrightness: () => void;
  /** Of CSS; undefined if the picture is shown as it is. */
  readonly filter: string | undefined;
}

const next = (values: readonly number[], value: number): number => values[(values.indexOf(value) + 1) % values.length]!;

/** How a picture is shown, by buttons and by keys. */
export function usePictureLight(): PictureLight {
  const [contrast, setContrast] = useState(1);
  const [brightness, setBrightness] = useState(1);
  const onContrast = () => setContrast(next(CONTRASTS, contrast));
  const onBrightness = () => setBrightness(next(BRIGHTNESSES, brightness));
  useEvents(window, {
    keydown: ({ key, target, ctrlKey, metaKey, altKey }) => {
      if (ctrlKey || metaKey || altKey || takesLetters(target)) return;
      if (key.toLowerCase() === 'u') onContrast();
      else if (key.toLowerCase() === 'i') onBrightness();
    },
  });
  const filters = [
    ...(brightness === 1 ? [] : [`brightness(${brightness})`]),
    ...(contrast === 1 ? [] : [`contrast(${contrast})`]),
  ];
  return {
    contrast,
    brightness,
    onContrast,
    onBrightness,
    filter: filters.length === 0 ? undefined : filters.join(' '),
  };
}
