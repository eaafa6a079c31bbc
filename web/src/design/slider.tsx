import type { ComponentProps, ReactNode } from 'react';
import styles from './slider.module.css';

/** A range with its value beside it, and perhaps a way back to the usual one. */
export function Slider({
  label,
  hint,
  text,
  children,
  ...input
}: {
  readonly label: string;
  readonly hint?: string;
  /** The value. */
  readonly text: string;
  readonly children?: ReactNode;
} & Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return (
    <div className={styles.slider}>
      <label title={hint}>
        <span>{label}</span>
        <input {...input} type="range" aria-valuetext={text} />
        <output>{text}</output>
      </label>
      {children}
    </div>
  );
}
