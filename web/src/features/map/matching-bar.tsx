import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { toast } from '../../design/toast';
import { writeState, type ExploreState } from '../../media/explore-address';
import { allClusters, clusterItems } from '../../media/matching-clusters';
import { MOST_ITEMS, type SelectionItem } from '../../media/media-selection';
import { SaveViewPopover } from '../../media/save-view';
import { SelectionActions } from '../../media/selection-actions';
import { SelectionDialog, type SelectionAction } from '../../media/selection-dialogs';
import { texts } from '../../texts';
import { useNavigate } from 'react-router';
import barStyles from '../../media/selection-bar.module.css';

const { matching: words } = texts.map;
const { selection: selectionWords } = texts.media;

/** The coarsest level: its clusters are few, and an action takes a limited number at once. */
const COARSEST = 4;

interface Chosen {
  readonly action: SelectionAction;
  readonly items: readonly SelectionItem[];
  readonly media: number;
}

/** Selects all media that match, for an action. */
const useChosen = (datasetId: string, state: ExploreState, onChosen: (chosen: Chosen) => void) =>
  useMutation({
    mutationFn: async (action: SelectionAction) => {
      const grouped = { ...state, level: COARSEST, block: 0 };
      const { items: all, areMore } = await allClusters(datasetId, grouped);
      const taken = all.slice(0, MOST_ITEMS);
      const media = taken.reduce((sum, { size }) => sum + size, 0);
      const ids = taken.map(({ id }) => id);
      return { action, areMore, media, items: clusterItems(ids, grouped) };
    },
    onSuccess: ({ areMore, ...chosen }) => {
      if (chosen.items.length === 0) toast({ text: words.none });
      else onChosen(chosen);
      if (areMore) toast({ text: selectionWords.someOfClusters(MOST_ITEMS) });
    },
    onError: (error) => toast({ text: words.failed(messageOf(error)), isFailure: true }),
  });

/** The actions on all media that match the filters. */
export function MatchingBar({
  datasetId,
  state,
  matching,
  total,
}: {
  readonly datasetId: string;
  readonly state: ExploreState;
  /** Null until it is counted. */
  readonly matching: number | null;
  readonly total: number;
}) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Chosen | null>(null);
  const begin = useChosen(datasetId, state, setOpen);
  const close = () => setOpen(null);
  return (
    <>
      <section className={barStyles.bar} aria-label={words.bar}>
        <span className={barStyles.text}>{matching === null ? words.counting : words.count(matching, total)}</span>
        <Button
          kind="plain"
          icon="grid"
          onPress={() => void navigate(`../explore?${writeState({ ...state, block: 0 }).toString()}`)}
        >
          {texts.map.explore}
        </Button>
        <SelectionActions
          datasetId={datasetId}
          isOfPictures={state.entity === 'IMAGES'}
          isDisabled={begin.isPending}
          onAction={(action) => begin.mutate(action)}
        />
        <SaveViewPopover kind="plain" datasetId={datasetId} state={state} />
      </section>
      {open !== null && <SelectionDialog {...open} clusters={0} datasetId={datasetId} onClose={close} />}
    </>
  );
}
