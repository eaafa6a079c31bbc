import type { ReactNode } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import { Dialog, DialogActions } from './dialog';
import styles from './confirm-dialog.module.css';

/** Explains an action, and asks for confirmation. */
export function ConfirmDialog({
  title,
  confirm,
  isDangerous = false,
  isDisabled = false,
  action: { isPending, error, mutate },
  onClose,
  children,
}: {
  readonly title: string;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly action: { readonly isPending: boolean; readonly error: Error | null; readonly mutate: () => unknown };
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose} isAlert>
      <div className={styles.body}>{children}</div>
      {error !== null && (
        <p className={styles.error} role="alert">
          {error.message}
        </p>
      )}
      <DialogActions>
        <Button autoFocus onPress={onClose}>
          {texts.design.cancel}
        </Button>
        <Button kind={isDangerous ? 'danger' : 'primary'} isDisabled={isDisabled || isPending} onPress={() => mutate()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
