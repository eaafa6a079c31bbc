import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import styles from './skip-link.module.css';

const PLACE = 'skip-links';

/** Before everything else of the document: where its first stops are, which are seen while they have the focus. */
export const SkipLinks = () => <div id={PLACE} />;

/** A first stop of the page that leads past what is before an element. */
export function SkipLink({
  label,
  to,
  onSkip,
}: {
  readonly label: string;
  /** The id of the element. */
  readonly to: string;
  readonly onSkip: () => void;
}) {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useEffect(() => setPlace(document.getElementById(PLACE)), []);
  if (place === null) return null;
  return createPortal(
    <a
      href={`#${to}`}
      className={styles.link}
      onClick={(event) => {
        event.preventDefault();
        onSkip();
      }}
    >
      {label}
    </a>,
    place,
  );
}
