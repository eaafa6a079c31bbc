import { useNavigate, useParams } from 'react-router';
import { useDataset } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { IconButton } from '../../design/button';
import { PageHeader } from '../../design/page-header';
import type { ExploreChange } from '../../media/explore-address';
import { likenessOf } from '../../media/likeness';
import { MediaOverlay } from '../../media/media-overlay';
import { useOpenMedia } from '../../media/open-media';
import { mediaItems } from '../../media/media-selection';
import { SelectableGrid } from '../../media/selectable-grid';
import { mediumOf, useSelection } from '../../media/selection';
import { Tile, TileSkeleton } from '../../media/tile';
import { useTileFacts } from '../../media/use-tile-facts';
import { texts } from '../../texts';
import {
  allMembers,
  beyond,
  memberIdsOf,
  MEMBERS_PER_PAGE,
  MOST_MEDIA,
  useMembers,
  type MemberPages,
} from './explore-queries';
import { changed, pictured, useExploreState, writeState, type EntityType, type ExploreState } from './explore-state';
import { GridBar } from './grid-bar';
import { usePictureSearch } from '../../media/filtering/picture-search';
import { choose } from '../../media/select-all';
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
  const [pages, onVisible] = useVisiblePages(MEMBERS_PER_PAGE);
  const members = useMembers(id, clusterId, state, pages);
  const { count, error, isLoading, totalPages } = members;
  const explore = (part: ExploreChange, from = state) =>
    void navigate(`../explore?${writeState(changed(from, part)).toString()}`);
  const findSimilar = (mediaId: string, entity: EntityType = pictured(state.entity)) =>
    explore({ filters: [], caption: '', entity, anchor: { type: 'MEDIA', id: mediaId } });
  const [searchByPicture, pictureDialog] = usePictureSearch(id, {
    state,
    change: (part) => explore(part, { ...state, filters: [] }),
  });
  const back = () => void navigate(`../explore?${writeState(state).toString()}`);
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
          <Members {...{ clusterId, state, pages, onVisible, members }} onFindSimilar={findSimilar} />
          <MediaOverlay
            datasetId={id}
            sequence={pages.flatMap((page) => idsOf(members, page))}
            onFindSimilar={findSimilar}
            onBeyond={(mediaId, step) => beyond(mediaId, step, totalPages, memberIdsOf(id, clusterId, state))}
            onPicture={searchByPicture}
            onBatch={(batchId) => explore({ filters: withValues([], 'batch', [batchId]), caption: '', anchor: null })}
          />
        </div>
      </div>
      {pictureDialog}
    </div>
  );
}

const SKELETONS = 60;

const idsOf = ({ at }: MemberPages, page: number): string[] =>
  itemsOf(page, MEMBERS_PER_PAGE, at).map(({ media_id: mediaId }) => mediaId);

interface MembersProps {
  readonly clusterId: string;
  readonly state: ExploreState;
  readonly pages: readonly number[];
  readonly onVisible: (first: number, last: number) => void;
  readonly members: MemberPages;
  readonly onFindSimilar: (mediaId: string) => void;
}

function Members({ clusterId, state, pages, onVisible, members, onFindSimilar }: MembersProps) {
  const { id } = useDataset();
  const openMedia = useOpenMedia();
  const { count, at, againAt, error, isLoading, refetch } = members;
  const { minWidth, footer, factsOf } = useTileFacts(id, pages, (page) => idsOf(members, page));
  const idAt = (index: number) => at(index)?.media_id;
  const selection = useSelection(count, (index) => mediumOf(idAt(index)));
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
        onFindSimilar={({ media_id: mediaId }) => onFindSimilar(mediaId)}
      />
    );
  };
  if (error !== null) return <Failure error={error} onRetry={refetch} />;
  return (
    <SelectableGrid
      datasetId={id}
      label={words.list}
      count={isLoading ? SKELETONS : count}
      minWidth={minWidth}
      footer={footer}
      renderCell={renderCell}
      selection={selection}
      idAt={idAt}
      items={mediaItems(selection.ids)}
      isOfPictures={state.entity === 'IMAGES'}
      onOpen={(index) => openMedia(idAt(index)!)}
      onSelectAll={() =>
        void choose(selection, allMembers(id, clusterId, state), texts.media.selection.someOfMedia(MOST_MEDIA))
      }
      onVisible={onVisible}
      scrollKey={`${id}/${clusterId}?${writeState(state).toString()}`}
    />
  );
}
