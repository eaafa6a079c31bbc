import { Button } from '../../design/button';
import { texts } from '../../texts';

/** Left out if nothing can be taken back. */
export function TakeBack({ onPress }: { readonly onPress: (() => void) | undefined }) {
  if (onPress === undefined) return null;
  return (
    <Button kind="plain" onPress={onPress}>
      {texts.review.work.takeBack} <kbd aria-hidden="true">Z</kbd>
    </Button>
  );
}
