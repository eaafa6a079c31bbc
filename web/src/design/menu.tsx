import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import { Icon, type IconName } from './icon';
import styles from './overlay.module.css';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  /** A line below the label, such as why it is disabled. */
  readonly note?: string;
  readonly icon: IconName;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly onAction: () => void;
}

/** A button with a menu. */
export function Menu({
  trigger,
  label,
  entries,
}: {
  readonly trigger: ReactNode;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}) {
  return (
    <MenuTrigger>
      {trigger}
      <AriaPopover className={styles.popover} placement="bottom end" offset={4}>
        <AriaMenu aria-label={label} className={styles.menu}>
          {entries.map(({ id, label: text, note, icon, isDangerous = false, isDisabled = false, onAction }) => (
            <AriaMenuItem
              key={id}
              id={id}
              textValue={text}
              isDisabled={isDisabled}
              onAction={onAction}
              className={`${styles.item} ${isDangerous ? styles.dangerous : ''}`}
            >
              <Icon name={icon} />
              <span className={styles.itemText}>
                {text}
                {note !== undefined && <small> {note}</small>}
              </span>
            </AriaMenuItem>
          ))}
        </AriaMenu>
      </AriaPopover>
    </MenuTrigger>
  );
}
