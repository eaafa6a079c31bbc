import { messageOf } from '../api/failure';
import { toast } from '../design/toast';
import { texts } from '../texts';
import type { AllItems } from './matching-clusters';
import type { Selection } from './selection';

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
