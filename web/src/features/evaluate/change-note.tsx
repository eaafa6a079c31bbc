import { texts } from '../../texts';
import { differenceText, type FigureChange } from './figure-texts';

/** How much a figure changed since the last run, where it did. */
export function ChangeNote({ difference, change }: FigureChange) {
  if (difference === null || change === 'same') return null;
  const text = differenceText(difference);
  return (
    <small data-change={change} title={texts.evaluate.figures.change(text)}>
      {text}
    </small>
  );
}
