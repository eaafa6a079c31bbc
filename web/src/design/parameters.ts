import { useCallback } from 'react';
import { useNavigate, useSearchParams, type NavigateOptions } from 'react-router';

type Change = (next: (current: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/**
 * The parameters of the address, and how to change them. A change begins with what the address has at that moment: a page is drawn a moment
 * later, and of two changes in a row the first would be lost.
 */
export function useParameters(): readonly [URLSearchParams, Change] {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const change = useCallback<Change>(
    (next, options) => void navigate(`?${next(new URLSearchParams(window.location.search)).toString()}`, options),
    [navigate],
  );
  return [params, change];
}
