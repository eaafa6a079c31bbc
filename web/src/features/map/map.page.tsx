import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isExplorable, useDataset, useMayChange } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { Select } from '../../design/choices';
import { PageHeader } from '../../design/page-header';
import { EmptyState } from '../../design/state';
import { useReindex } from '../../media/adding/use-reindex';
import { writeState, type ExploreState } from '../../media/explore-address';
import { useFacets } from '../../media/facets';
import { SearchFrame } from '../../media/filtering/search-frame';
import { NotReady } from '../../media/not-ready';
import { texts } from '../../texts';
import type { Colouring } from './map-address';
import { useMap, type AskedMap, type Coloured } from './map-queries';
import { MapStage } from './map-stage';
import { useMapState, type MapNavigation } from './map-state';
import { MatchingBar } from './matching-bar';
import { useColouring } from './use-colouring';

const { map: words } = texts;
const optionOf = (value: Colouring) => ({ value, label: `${words.colour}: ${words.colourings[value]}` });
const UNCOLOURED: Coloured = { colouring: 'none', evaluation: undefined };

/** All media of a dataset as points, similar ones near each other. */
export function MapPage() {
  const dataset = useDataset();
  const navigation = useMapState();
  const { state, change, colouring, setColouring } = navigation;
  const isReady = isExplorable(dataset);
  const { choices, evaluations, coloured, setEvaluation } = useColouring(dataset.id, state, colouring);
  const map = useMap(dataset.id, state, coloured ?? UNCOLOURED, isReady && coloured !== undefined);
  const [hasPanel, setHasPanel] = useState(false);
  const facets = useFacets(dataset.id, state, hasPanel);
  return (
    <SearchFrame
      datasetId={dataset.id}
      state={state}
      change={change}
      header={<Header state={state} total={map.data?.map.total_media} />}
      tools={
        <>
          <Select
            label={words.colour}
            options={choices.map(optionOf)}
            value={coloured?.colouring ?? colouring}
            onChange={(value) => setColouring(value as Colouring)}
          />
          {evaluations.length > 1 && (
            <Select
              label={words.evaluation}
              options={evaluations.map(({ id, name }) => ({ value: id, label: name }))}
              value={coloured?.evaluation ?? ''}
              onChange={setEvaluation}
            />
          )}
        </>
      }
      hasPanel={hasPanel}
      onPanel={setHasPanel}
      facets={facets.data}
    >
      {() => (
        <>
          {isReady ? <Found map={map} navigation={navigation} /> : <NotReady dataset={dataset} />}
          <Summary map={map} state={state} />
        </>
      )}
    </SearchFrame>
  );
}

const isNarrowed = ({ filters, caption, anchor }: ExploreState): boolean =>
  filters.length > 0 || caption !== '' || anchor !== null;

function Header({ state, total }: { readonly state: ExploreState; readonly total: number | undefined }) {
  const navigate = useNavigate();
  const explore = () => void navigate(`../explore?${writeState({ ...state, block: 0 }).toString()}`);
  return (
    <PageHeader title={words.title} note={total === undefined ? undefined : words.note(total)}>
      {!isNarrowed(state) && (
        <Button icon="grid" onPress={explore}>
          {words.explore}
        </Button>
      )}
    </PageHeader>
  );
}

type FoundMap = ReturnType<typeof useMap>;

/** The map, and how much of it a search matches. */
function Found({
  map: { data, error, refetch, isPlaceholderData },
  navigation,
}: {
  readonly map: FoundMap;
  readonly navigation: MapNavigation;
}) {
  const { id } = useDataset();
  const { state } = navigation;
  if (data === undefined) return error !== null && <Failure error={error} onRetry={() => void refetch()} />;
  const { placed_media: placed, matching_media: matching, total_media: total } = data.map;
  return (
    <>
      <Placed asked={data} navigation={navigation} />
      {isNarrowed(state) && placed > 0 && (
        <MatchingBar datasetId={id} state={state} matching={isPlaceholderData ? null : matching} total={total} />
      )}
    </>
  );
}

/** The same for screen readers. */
function Summary({
  map: { data, isPlaceholderData },
  state,
}: {
  readonly map: FoundMap;
  readonly state: ExploreState;
}) {
  return (
    <div role="status" className="visually-hidden">
      {data !== undefined && data.map.placed_media > 0 && (
        <>
          {words.summary(data.map.placed_media, data.map.color_by)}{' '}
          {isNarrowed(state) && !isPlaceholderData && words.matchingSummary(data.map.matching_media)}
        </>
      )}
    </div>
  );
}

function Placed({ asked, navigation }: { readonly asked: AskedMap; readonly navigation: MapNavigation }) {
  const { id } = useDataset();
  const { total_media: total, placed_media: placed } = asked.map;
  if (total === 0) return <EmptyState icon="map" title={words.empty.title} text={words.empty.text} />;
  if (placed === 0) return <WithoutMap />;
  return <MapStage key={id} datasetId={id} asked={asked} navigation={navigation} />;
}

/** A dataset that was indexed before there were maps. */
function WithoutMap() {
  const dataset = useDataset();
  const mayChange = useMayChange(dataset.id);
  const canReindex = dataset.status_new === 'PARTIAL INDEX';
  const reindex = useReindex(dataset.id, words.old.started);
  return (
    <EmptyState icon="map" title={words.old.title} text={canReindex ? words.old.text : words.old.later}>
      {canReindex && mayChange && (
        <Button kind="primary" icon="again" isDisabled={reindex.isPending} onPress={() => reindex.mutate()}>
          {texts.adding.reindex.action}
        </Button>
      )}
    </EmptyState>
  );
}
