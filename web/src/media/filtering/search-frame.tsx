import type { ReactNode } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { IconButton } from '../../design/button';
import { Segments } from '../../design/field';
import { texts } from '../../texts';
import { ENTITY_TYPES, type ExploreNavigation } from '../explore-address';
import { FilterChips } from '../filter-chips';
import { FilterPanel } from './filter-panel';
import { PictureDrop, usePictureSearch } from './picture-search';
import { SearchBox } from './search-box';
import styles from './filtering.module.css';

const { explore: words } = texts;
const ENTITIES = ENTITY_TYPES.map((value) => ({ value, label: words.entity[value] }));

/** A page that shows what a search finds: the fields of the search, the active filters, and the panel with all filters. */
export function SearchFrame({
  datasetId,
  state,
  change,
  header,
  tools,
  hasPanel,
  onPanel,
  facets,
  children,
}: ExploreNavigation & {
  readonly datasetId: string;
  readonly header: ReactNode;
  /** What the page has besides the fields of the search. */
  readonly tools: ReactNode;
  readonly hasPanel: boolean;
  readonly onPanel: (hasPanel: boolean) => void;
  readonly facets: components['schemas']['Facets'] | undefined;
  /** What is found; gets how to search by a picture. */
  readonly children: (onPicture: (picture: Blob) => void) => ReactNode;
}) {
  const [searchByPicture, pictureDialog] = usePictureSearch(datasetId, { state, change });
  return (
    <div className={styles.frame}>
      {header}
      <div className={styles.toolbar}>
        <IconButton
          icon="filter"
          label={hasPanel ? words.filters.hide : words.filters.show}
          aria-expanded={hasPanel}
          onPress={() => onPanel(!hasPanel)}
        />
        <SearchBox datasetId={datasetId} state={state} change={change} onPicture={searchByPicture} />
        <Segments
          label={words.entity.label}
          choices={ENTITIES}
          value={state.entity}
          onChange={(entity) => change({ entity })}
        />
        {tools}
      </div>
      <FilterChips datasetId={datasetId} state={state} change={change} />
      <div className={styles.body}>
        {hasPanel && <FilterPanel datasetId={datasetId} state={state} change={change} facets={facets} />}
        <PictureDrop onPicture={searchByPicture}>{children(searchByPicture)}</PictureDrop>
      </div>
      {pictureDialog}
    </div>
  );
}
