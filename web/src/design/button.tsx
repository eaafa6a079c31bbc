import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { Link, type LinkProps } from 'react-router';
import { Icon, type IconName } from './icon';
import styles from './button.module.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly kind?: 'normal' | 'primary' | 'danger' | 'plain';
  readonly icon?: IconName;
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}

const classOf = (kind: ButtonProps['kind'] = 'normal', ...more: (string | undefined)[]): string =>
  [styles.button, kind === 'normal' ? undefined : styles[kind], ...more].filter(Boolean).join(' ');

export function Button({ kind, icon, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={classOf(kind)}>
      {icon !== undefined && <Icon name={icon} />}
      {icon === undefined ? children : <span>{children}</span>}
    </AriaButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ icon, children, ...rest }: Omit<LinkProps, 'className'> & { readonly icon: IconName }) {
  return (
    <Link {...rest} className={classOf()}>
      <Icon name={icon} />
      <span>{children}</span>
    </Link>
  );
}

/** A button of one icon: its label is for screen readers, and shown when the pointer rests on it. */
export function IconButton({
  icon,
  label,
  kind = 'plain',
  ...rest
}: Omit<ButtonProps, 'children' | 'icon' | 'aria-label'> & { readonly icon: IconName; readonly label: string }) {
  return (
    <AriaButton
      {...rest}
      aria-label={label}
      render={(props) => <button {...props} title={label} />}
      className={classOf(kind, styles.icon)}
    >
      <Icon name={icon} />
    </AriaButton>
  );
}
