import { useEffect, useRef, useSyncExternalStore } from 'react';
import { connection } from '../api/connection-state';
import { Button } from '../design/button';
import { Dialog, DialogActions } from '../design/dialog';
import { Icon } from '../design/icon';
import { toast } from '../design/toast';
import { texts } from '../texts';
import { SIGNED_IN_PATH } from './signed-in.page';
import styles from './shell.module.css';

/** Says that the service is away, that it is back, and that the session has ended. */
export function ConnectionBanner() {
  const state = useSyncExternalStore(connection.subscribe, connection.read);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'away' && state === 'ok') toast({ text: texts.shell.back });
    before.current = state;
  }, [state]);
  return (
    <>
      <div role="status">
        {state === 'away' && (
          <div className={styles.banner}>
            <Icon name="alert" />
            {texts.shell.away}
          </div>
        )}
      </div>
      {state === 'signed-out' && <SignIn />}
    </>
  );
}

const loginAt = (path: string): string => `/api/v1/oidc/login?return_to=${encodeURIComponent(path)}`;

/** Comes back to this page; or happens in another tab, if something on this page has to go on. */
function SignIn() {
  const { title, text, textHeld, action } = texts.shell.signIn;
  const { isHeld } = connection;
  const signIn = () => {
    const { pathname, search } = window.location;
    if (isHeld) window.open(loginAt(SIGNED_IN_PATH));
    else window.location.assign(loginAt(pathname + search));
  };
  return (
    <Dialog title={title} isAlert>
      <p className={styles.prompt}>{isHeld ? textHeld : text}</p>
      <DialogActions>
        <Button kind="primary" autoFocus onPress={signIn}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
