import { useState } from 'react';
import { useNavigate } from 'react-router';
import { isExplorable, useDataset, useMayChange } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { Select } from '../../design/choices';
import { Segments } from '../../design/field';
import { PageHeader } from '../../design/page-header';
import { EmptyState } from '../../design/state';
import { useReindex } from '../../media/adding/use-reindex';
import { ENTITY_TYPES, writeState } from '../../media/explore-address';
import { useFacets } from '../../media/facets';
import { FilterChips } from '../../media/filter-chips';
import { FilterPanel } from '../../media/filtering/filter-panel';
import { PictureDrop, usePictureSearch } from '../../media/filtering/picture-search';
import { SearchBox } from '../../media/filtering/search-box';
import { NotReady } from '../../media/not-ready';
import { texts } from '../../texts';
import { COLOURINGS, type Colouring } from './map-address';
import { useMap, type AskedMap } from './map-queries';
import { MapStage } from './map-stage';
import { useMapState } from './map-state';
import { MatchingBar } from './matching-bar';
import styles from './map-stage.module.css';

const { map: words } = texts;
const ENTITIES = ENTITY_TYPES.map((value) => ({ value, label: texts.explore.entity[value] }));
const COLOURING_OPTIONS = COLOURINGS.map((value) => ({ value, label: `${words.colour}: ${words.colourings[value]}` }));

/** All media of a dataset as points, similar ones near each other. */
export function MapPage() {
  const dataset = useDataset();
  const navigation = useMapState();
  const navigate = useNavigate();
  const { state, change, colouring, setColouring } = navigation;
  const isReady = isExplorable(dataset);
  const { data, error, refetch, isPlaceholderData } = useMap(dataset.id, state, colouring, isReady);
  const [hasPanel, setHasPanel] = useState(false);
  const facets = useFacets(dataset.id, state, hasPanel);
  const [search, pictureDialog] = usePictureSearch(dataset.id, { state, change });
  const isNarrowed = state.filters.length > 0 || state.caption !== '' || state.anchor !== null;
  return (
    <div className={styles.page}>
      <PageHeader title={words.title} note={data === undefined ? undefined : words.note(data.map.total_media)}>
        {!isNarrowed && (
          <Button
            icon="grid"
            onPress={() => void navigate(`../explore?${writeState({ ...state, block: 0 }).toString()}`)}
          >
            {words.explore}
          </Button>
        )}
      </PageHeader>
      <div className={styles.toolbar}>
        <IconButton
          icon="filter"
          label={hasPanel ? texts.explore.filters.hide : texts.explore.filters.show}
          aria-expanded={hasPanel}
          onPress={() => setHasPanel(!hasPanel)}
        />
        <SearchBox state={state} change={change} onPicture={search} />
        <Segments
          label={texts.explore.entity.label}
          choices={ENTITIES}
          value={state.entity}
          onChange={(entity) => change({ entity })}
        />
        <Select
          label={words.colour}
          options={COLOURING_OPTIONS}
          value={colouring}
          onChange={(value) => setColouring(value as Colouring)}
        />
      </div>
      <FilterChips datasetId={dataset.id} state={state} change={change} />
      <div className={styles.body}>
        {hasPanel && <FilterPanel datasetId={dataset.id} state={state} change={change} facets={facets.data} />}
        <PictureDrop onPicture={search}>
          {!isReady ? (
            <NotReady dataset={dataset} />
          ) : data !== undefined ? (
            <Placed asked={data} navigation={navigation} />
          ) : (
            error !== null && <Failure error={error} onRetry={() => void refetch()} />
          )}
          {isReady && isNarrowed && data !== undefined && data.map.placed_media > 0 && (
            <MatchingBar
              datasetId={dataset.id}
              state={state}
              matching={isPlaceholderData ? null : data.map.matching_media}
              total={data.map.total_media}
            />
          )}
        </PictureDrop>
      </div>
      {pictureDialog}
      <div role="status" className="visually-hidden">
        {data !== undefined && data.map.placed_media > 0 && (
          <Summary asked={data} isNarrowed={isNarrowed && !isPlaceholderData} />
        )}
      </div>
    </div>
  );
}

function Summary({ asked: { map }, isNarrowed }: { readonly asked: AskedMap; readonly isNarrowed: boolean }) {
  return (
    <>
      {words.summary(map.placed_media, map.color_by)} {isNarrowed && words.matchingSummary(map.matching_media)}
    </>
  );
}

function Placed({
  asked,
  navigation,
}: {
  readonly asked: AskedMap;
  readonly navigation: ReturnType<typeof useMapState>;
}) {
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
