import { useEffect, useRef, type ReactNode, type SubmitEvent } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { texts } from '../texts';
import { Button, IconButton } from './button';
import styles from './overlay.module.css';

export interface DialogProps {
  readonly title: string;
  /** Left out where it cannot be closed. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
  /** For questions that must be answered. */
  readonly isAlert?: boolean;
}

/** Rendered while it is open. */
export function Dialog({ title, onClose, children, isWide = false, isAlert = false }: DialogProps) {
  const dialog = useRef<HTMLElement>(null);
  // A button that is disabled meanwhile loses the focus, and Escape would go nowhere.
  useEffect(() => {
    if (document.activeElement === document.body) dialog.current?.focus();
  });
  return (
    <ModalOverlay
      isOpen
      isDismissable={!isAlert}
      isKeyboardDismissDisabled={onClose === undefined}
      className={styles.scrim}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose?.();
      }}
    >
      <Modal className={`${styles.modal} ${isWide ? styles.wide : ''}`}>
        <AriaDialog ref={dialog} className={styles.dialog} role={isAlert ? 'alertdialog' : 'dialog'}>
          <div className={styles.head}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {onClose !== undefined && <IconButton icon="close" label={texts.design.close} onPress={onClose} />}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}

interface DialogFormProps {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Its fields stand below each other. */
export function DialogForm({ onSubmit, children }: DialogFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
    </form>
  );
}

export interface FormDialogProps extends DialogFormProps {
  readonly title: string;
  /** The button that submits the fields. */
  readonly confirm: string;
  readonly isDisabled: boolean;
  /** Stands beside the button that submits. */
  readonly otherAction?: ReactNode;
  readonly onClose: () => void;
}

/** Fields, and a button that submits them. */
export function FormDialog({ title, confirm, isDisabled, otherAction, onSubmit, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogForm onSubmit={onSubmit}>
        {children}
        <DialogActions>
          <Button onPress={onClose}>{texts.design.cancel}</Button>
          {otherAction}
          <Button kind="primary" type="submit" isDisabled={isDisabled}>
            {confirm}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  );
}

/** The effects of an action, as items of a list. */
export const Consequences = ({ children }: { readonly children: ReactNode }) => (
  <ul className={styles.consequences}>{children}</ul>
);
