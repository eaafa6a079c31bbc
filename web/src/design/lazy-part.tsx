import { useEffect, useState, type ComponentType } from 'react';

/** A page or dialog. Its code is loaded when it is first opened, or before by `load`. */
export type LazyPart<Props extends object = object> = ComponentType<Props> & { readonly load: () => Promise<unknown> };

/** React's own `lazy` leaves the place of a page empty for at least 300 ms, however soon its code is there. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadOnce = async (): Promise<void> => void (loaded ??= await load());
  function Part(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      loadOnce().then(
        () => setLoaded(() => loaded),
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure !== null) throw failure.error;
    return Loaded === undefined ? null : <Loaded {...props} />;
  }
  return Object.assign(Part, { load: loadOnce });
}
