import { useEffect, useState } from 'react';
import { useParameters } from '../../design/parameters';
import { withParameter } from './parameters';

const NAME = 'confidence';
/** Figures follow when the slider rests this long. */
const REST_MS = 80;

/** From which confidence on predictions count. */
export interface ConfidenceCut {
  /** As the slider shows it. */
  readonly shown: number;
  /** As figures are asked for: null for that of the evaluation. */
  readonly asked: number | null;
  /** Null for that of the evaluation. */
  readonly set: (value: number | null) => void;
}

function confidenceIn(text: string | null): number | null {
  const value = Number(text ?? NaN);
  return value >= 0 && value <= 1 ? value : null;
}

/** It is in the address once the slider rests. */
export function useConfidence(own: number): ConfidenceCut {
  const [params, changeParams] = useParameters();
  const asked = confidenceIn(params.get(NAME));
  const [moved, setMoved] = useState<{ readonly to: number | null } | null>(null);
  const isThere = moved !== null && moved.to === asked;
  useEffect(() => {
    if (moved === null) return;
    if (isThere) {
      setMoved(null);
      return;
    }
    const write = () =>
      changeParams((current) => withParameter(current, NAME, moved.to === null ? null : String(moved.to)), {
        replace: true,
      });
    const timer = setTimeout(write, REST_MS);
    return () => clearTimeout(timer);
  }, [moved, isThere, changeParams]);
  const shown = moved === null ? asked : moved.to;
  return { shown: shown ?? own, asked, set: (to) => setMoved({ to }) };
}
