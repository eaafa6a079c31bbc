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
  isPending,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly confirm: string;
  readonly isDangerous?: boolean;
  readonly isPending: boolean;
  readonly error: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose} isAlert>
      <div className={styles.body}>{children}</div>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      <DialogActions>
        <Button autoFocus onPress={onClose}>
          {texts.design.cancel}
        </Button>
        <Button kind={isDangerous ? 'danger' : 'primary'} isDisabled={isPending} onPress={onConfirm}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
