import { useNavigate, useParams } from 'react-router';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { IconButton } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import { likenessOf } from '../../media/likeness';
import { MediaOverlay, useOpenMedia } from '../../media/media-overlay';
import { SelectionBar } from '../../media/selection-bar';
import { mediumOf, useSelection } from '../../media/selection';
import { Tile, TileSkeleton } from '../../media/tile';
import { useTileFacts } from '../../media/use-tile-facts';
import { VirtualGrid } from '../../media/virtual-grid';
import { texts } from '../../texts';
import { allMembers, beyond, memberIdsOf, MEMBERS_PER_PAGE, MOST_MEDIA, useMembers } from './explore-queries';
import { changed, pictured, useExploreState, writeState, type EntityType } from './explore-state';
import { GridBar } from './grid-bar';
import { usePictureSearch } from '../../media/filtering/picture-search';
import { choose } from './select-all';
import { withValues } from '../../media/simple-filters';
import { itemsOf, useVisiblePages } from '../../media/visible-pages';
import styles from './explore.module.css';

const { cluster: words } = texts.explore;

/** A cluster whole, with the filters of the search that led to it. */
export function ClusterPage() {
  const { id } = useDataset();
  const { clusterId = '' } = useParams();
  const navigate = useNavigate();
  const { state, change } = useExploreState();
  const openMedia = useOpenMedia();
  const [pages, onVisible] = useVisiblePages(MEMBERS_PER_PAGE);
  const { count, at, againAt, error, isLoading, refetch, totalPages } = useMembers(id, clusterId, state, pages);
  const { minWidth, footer, factsOf } = useTileFacts(id, pages, (page) =>
    itemsOf(page, MEMBERS_PER_PAGE, at).map(({ media_id: mediaId }) => mediaId),
  );
  const selection = useSelection(count, (index) => mediumOf(at(index)?.media_id));
  const selectAll = () =>
    void choose(selection, allMembers(id, clusterId, state), texts.media.selection.someOfMedia(MOST_MEDIA));
  const search = writeState(state).toString();
  const back = () => void navigate(`../explore?${search}`);
  const findSimilar = (mediaId: string, entity: EntityType = pictured(state.entity)) => {
    const anchor = { type: 'MEDIA', id: mediaId } as const;
    const next = writeState(changed(state, { filters: [], caption: '', entity, anchor }));
    void navigate(`../explore?${next.toString()}`);
  };
  const [searchByPicture, pictureDialog] = usePictureSearch(id, {
    state,
    change: (part) => void navigate(`../explore?${writeState(changed({ ...state, filters: [] }, part)).toString()}`),
  });
  const showBatch = (batchId: string) => {
    const filters = withValues([], 'batch', [batchId]);
    void navigate(`../explore?${writeState(changed(state, { filters, caption: '', anchor: null })).toString()}`);
  };
  const open = (index: number) => {
    const member = at(index);
    if (member === undefined) return;
    if (selection.ids.size > 0) selection.select(index, 'toggle');
    else openMedia(member.media_id);
  };
  const loaded = pages.flatMap((page) =>
    Array.from({ length: MEMBERS_PER_PAGE }, (_, offset) => at(page * MEMBERS_PER_PAGE + offset)?.media_id),
  );
  const renderCell = (index: number) => {
    const member = at(index);
    if (member === undefined) return <TileSkeleton onAgain={againAt(index)} />;
    return (
      <Tile
        previews={[member]}
        count={1}
        label={member.file_name}
        likeness={likenessOf(member)}
        isSelected={selection.has(member.media_id)}
        facts={factsOf(member, member)}
        onSelect={(how) => selection.select(index, how)}
        onFindSimilar={({ media_id: mediaId }) => findSimilar(mediaId)}
      />
    );
  };
  return (
    <div className={styles.page}>
      <PageHeader
        title={words.title}
        note={isLoading || error !== null ? undefined : words.members(count)}
        before={<IconButton icon="left" label={words.back} onPress={back} />}
      />
      <div className={styles.body}>
        <div className={styles.results}>
          <GridBar state={state} change={change} unsorted={words.unsorted} />
          {error !== null ? (
            <Failure error={error} onRetry={refetch} />
          ) : (
            <VirtualGrid
              label={words.list}
              count={isLoading ? SKELETONS : count}
              minWidth={minWidth}
              footer={footer}
              renderCell={renderCell}
              isSelected={(index) => selection.has(at(index)?.media_id)}
              onOpen={open}
              onSelect={selection.select}
              onSelectAll={selectAll}
              lasso={selection.lasso}
              onVisible={onVisible}
              scrollKey={`${id}/${clusterId}?${search}`}
            />
          )}
          <SelectionBar
            datasetId={id}
            media={selection.media}
            items={selection.ids.size === 0 ? [] : [{ type: 'media', payload: { media_ids: [...selection.ids] } }]}
            onSelectAll={selectAll}
            onClear={selection.clear}
          />
          <MediaOverlay
            datasetId={id}
            sequence={loaded.filter((each) => each !== undefined)}
            onFindSimilar={findSimilar}
            onBeyond={(mediaId, step) => beyond(mediaId, step, totalPages, memberIdsOf(id, clusterId, state))}
            onPicture={searchByPicture}
            onBatch={showBatch}
          />
        </div>
      </div>
      {pictureDialog}
    </div>
  );
}

const SKELETONS = 60;
