import { messageOf } from '../../api/failure';
import { toast } from '../../design/toast';
import type { Selection } from '../../media/selection';
import type { AllItems } from '../../media/matching-clusters';
import { texts } from '../../texts';

/** Selects all that a search found, and says so when that is more than an action can take. */
export async function choose(selection: Selection, all: Promise<AllItems>, someOnly: string): Promise<void> {
  try {
    const { items, areMore } = await all;
    selection.choose(items);
    if (areMore) toast({ text: someOnly });
  } catch (error) {
    toast({ text: texts.media.selection.failed(messageOf(error)), isFailure: true });
  }
}
