import { useEffect, useRef, useSyncExternalStore } from 'react';
import { connection } from '../api/connection-state';
import { Button } from '../design/button';
import { Dialog, DialogActions } from '../design/dialog';
import { Icon } from '../design/icon';
import { toast } from '../design/toast';
import { texts } from '../texts';
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

function SignIn() {
  const { title, text, action } = texts.shell.signIn;
  const signIn = () => {
    const { pathname, search } = window.location;
    window.location.assign(`/api/v1/oidc/login?return_to=${encodeURIComponent(pathname + search)}`);
  };
  return (
    <Dialog title={title} isAlert>
      <p className={styles.prompt}>{text}</p>
      <DialogActions>
        <Button kind="primary" autoFocus onPress={signIn}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
