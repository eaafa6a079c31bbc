import { useEffect } from 'react';
import { announceSignIn } from '../api/connection-state';
import { EmptyState } from '../design/state';
import { texts } from '../texts';

export const SIGNED_IN_PATH = '/signed-in';

/** Where a tab ends that was opened to sign in for another one. */
export function SignedInPage() {
  useEffect(() => {
    announceSignIn();
    window.close();
  }, []);
  const { title, text } = texts.shell.signedIn;
  return <EmptyState isPage icon="check" title={title} text={text} />;
}
