import { useEffect, useState, type ComponentType } from 'react';

/** Its code is loaded when it is first opened, or before by `load`. */
export type LazyPage = ComponentType & { readonly load: () => Promise<unknown> };

/** React's own `lazy` leaves the place of a page empty for at least 300 ms, however soon its code is there. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loaded: ComponentType | undefined;
  const loadOnce = async (): Promise<void> => void (loaded ??= await load());
  function Page() {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      loadOnce().then(
        () => setLoaded(() => loaded),
        (error: unknown) => setFailure({ error }),
      );
    }, []);
    if (failure !== null) throw failure.error;
    return Loaded === undefined ? null : <Loaded />;
  }
  return Object.assign(Page, { load: loadOnce });
}
