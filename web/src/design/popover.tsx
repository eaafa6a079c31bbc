import type { ReactNode } from 'react';
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import styles from './overlay.module.css';

/** A button, and a small dialog beside it. */
export function Popover({
  trigger,
  label,
  isWide = false,
  children,
}: {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly isWide?: boolean;
  readonly children: ReactNode | ((close: () => void) => ReactNode);
}) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover
        className={`${styles.popover} ${isWide ? styles.widePopover : ''}`}
        placement="bottom start"
        offset={4}
      >
        <AriaDialog aria-label={label}>
          {({ close }) => (typeof children === 'function' ? children(close) : children)}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
