import { useEffect, useState } from 'react';

/** A pause of this length ends typing. */
const REST_MS = 250;

/** A value as it was when it last did not change for a moment. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
