import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { IconButton } from '../../design/button';
import { Segments } from '../../design/field';
import { Icon } from '../../design/icon';
import { texts } from '../../texts';
import type { ExploreNavigation } from '../explore-address';
import { LEAST_SIMILARITY, meaningOf, withMeaning, withWords, wordsOf } from '../simple-filters';
import { isFoundByMeaningOnly } from '../text-models';
import { useTextModels } from '../use-text-models';
import styles from './filtering.module.css';

type Mode = 'words' | 'meaning';

const { search: words } = texts.explore;
const MODES = (['words', 'meaning'] as const).map((value) => ({ value, label: words[value] }));

type DatasetNavigation = ExploreNavigation & { readonly datasetId: string };

/** The text that is searched for, and whether for its words or for its meaning. */
function useTextSearch({ datasetId, state, change }: DatasetNavigation) {
  const meaning = state.caption === '' ? (meaningOf(state.filters)?.text ?? '') : state.caption;
  const askedWords = wordsOf(state.filters);
  const asked = meaning === '' ? askedWords : meaning;
  const [chosen, setChosen] = useState<Mode | null>(null);
  const { data: models = [] } = useTextModels(datasetId);
  const best = isFoundByMeaningOnly(models, state.entity) ? 'meaning' : 'words';
  // A text in the address says how it is searched for.
  const mode: Mode = meaning === '' ? (askedWords === '' ? (chosen ?? best) : 'words') : 'meaning';
  const [text, setText] = useState(asked);
  // The address changed by other means.
  useEffect(() => setText(asked), [asked]);
  const search = (value: string, by: Mode) =>
    change({
      caption: '',
      filters: (current) => {
        const least = meaningOf(current)?.least ?? LEAST_SIMILARITY;
        const isMeant = by === 'meaning' && value !== '';
        return withMeaning(withWords(current, by === 'words' ? value : ''), isMeant ? { text: value, least } : null);
      },
    });
  return {
    text,
    setText,
    mode,
    search: () => search(text.trim(), mode),
    searchBy: (next: Mode) => {
      setChosen(next);
      if (asked !== '') search(text.trim(), next);
    },
    clear: () => {
      setText('');
      setChosen(mode);
      if (asked !== '') search('', mode);
    },
  };
}

/** Words of captions, the meaning of a text, or a picture. */
export function SearchBox({
  onPicture,
  ...navigation
}: DatasetNavigation & { readonly onPicture: (picture: File) => void }) {
  const { text, setText, mode, search, searchBy, clear } = useTextSearch(navigation);
  const file = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    search();
  };
  return (
    <form className={styles.search} data-tour="search" role="search" onSubmit={submit}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={words.label}
        placeholder={mode === 'words' ? words.placeholderWords : words.placeholderMeaning}
        value={text}
        maxLength={10_000}
        dir="auto"
        onChange={({ target }) => setText(target.value)}
      />
      {text !== '' && <IconButton icon="close" label={words.clear} onPress={clear} />}
      <IconButton icon="image" label={words.picture} onPress={() => file.current?.click()} />
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          if (target.files?.[0] !== undefined) onPicture(target.files[0]);
          target.value = '';
        }}
      />
      <Segments label={words.mode} choices={MODES} value={mode} onChange={searchBy} />
    </form>
  );
}
