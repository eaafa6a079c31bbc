import { useNavigate } from 'react-router';
import { Button } from '../../design/button';
import { EmptyState } from '../../design/state';
import { LEAST_SIMILARITY, meaningOf, withMeaning, withWords, wordsOf } from '../../media/simple-filters';
import { useTextModels } from '../../media/use-text-models';
import { texts } from '../../texts';
import { wholePercent } from '../../texts/format';
import type { ClusterPages } from './explore-queries';
import { pictured, type ExploreNavigation } from './explore-state';

const { explore } = texts;
const { none: words } = explore;

function textOf(isByWords: boolean, understood: ClusterPages['understood']): string {
  if (isByWords) return words.textOfWords;
  return understood === undefined ? words.text : explore.understood(understood);
}

interface NothingProps extends ExploreNavigation {
  readonly datasetId: string;
  readonly understood: ClusterPages['understood'];
}

/** Why a search has no result, and what to do. */
export function Nothing({ datasetId, state, change, understood }: NothingProps) {
  const { filters, caption, anchor } = state;
  const navigate = useNavigate();
  const meaning = meaningOf(filters);
  const isMeant = caption !== '' || meaning !== null;
  const models = useTextModels(datasetId, isMeant);
  const isNarrowed = filters.length > 0 || isMeant || anchor !== null;
  if (!isNarrowed) return <EmptyState icon="search" title={words.empty} text={words.emptyText} />;
  // Until it is known why nothing matches, nothing is said.
  if (isMeant && models.isPending) return null;
  const isComparable = !isMeant || models.data?.some((each) => each.entity_type === pictured(state.entity)) !== false;
  if (!isComparable)
    return (
      <EmptyState icon="search" title={words.incomparable} text={words.incomparableText}>
        <Button kind="primary" onPress={() => void navigate('../enrich')}>
          {words.enrich}
        </Button>
        <Button onPress={() => change({ caption: '', filters: (current) => withMeaning(current, null) })}>
          {words.clearMeaning}
        </Button>
      </EmptyState>
    );
  const least = meaning?.least ?? null;
  return (
    <EmptyState
      icon="search"
      title={least === null ? words.title : words.unlike(wholePercent(least))}
      text={textOf(wordsOf(filters) !== '', understood)}
    >
      <SearchMore state={state} change={change} />
      <Button onPress={() => change({ filters: [], caption: '', anchor: null })}>{words.clear}</Button>
    </EmptyState>
  );
}

/** A search for the same text that finds more. */
function SearchMore({ state: { filters, caption }, change }: ExploreNavigation) {
  const meaning = meaningOf(filters);
  const asked = wordsOf(filters);
  const searchByMeaning = (): void =>
    change({
      filters: (current) => withMeaning(withWords(current, ''), { text: asked, least: LEAST_SIMILARITY }),
    });
  if (meaning === null && caption === '' && asked !== '')
    return (
      <Button kind="primary" onPress={searchByMeaning}>
        {words.byMeaning}
      </Button>
    );
  if (meaning === null || meaning.least === null) return null;
  return (
    <Button
      kind="primary"
      onPress={() => change({ filters: (current) => withMeaning(current, { ...meaning, least: null }) })}
    >
      {words.nearest}
    </Button>
  );
}
