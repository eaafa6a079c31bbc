import { useId, useRef, useState, type KeyboardEvent, type SubmitEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { InvalidRequestError, type ValidationItem } from 'dataset-media-service-sdk';
import { queries } from '../../api/client';
import { messageOf } from '../../api/failure';
import { Button } from '../../design/button';
import { texts } from '../../texts';
import { facetsOf, useFacets } from '../../media/facets';
import { parseFilters, type ExploreNavigation, type ExploreState } from './explore-state';
import { suggestionsAt, type KnownValues, type Suggestion } from './vql-completion';
import { useVqlSchema } from './vql-schema';
import { scan, type Path } from './vql-text';
import styles from './vql-form.module.css';

const { vql: words } = texts.explore;
/** Of the place of an error, before the path in the filters. */
const BEFORE_PATH = ['query', 'vql'];

interface Problem {
  readonly text: string;
  readonly path: Path | null;
}

/** A filter a line. */
const textOf = (filters: ExploreState['filters']): string =>
  filters.length === 0 ? '[]' : `[\n${filters.map((filter) => `  ${JSON.stringify(filter)}`).join(',\n')}\n]`;

const problemOf = ({ loc, msg }: ValidationItem): Problem => ({
  text: msg,
  path: BEFORE_PATH.every((part, at) => loc[at] === part) ? loc.slice(BEFORE_PATH.length) : null,
});

function problemsOf(error: unknown): readonly Problem[] {
  const items = error instanceof InvalidRequestError ? error.items : [];
  return items.length === 0 ? [{ text: messageOf(error), path: null }] : items.map(problemOf);
}

function parsed(text: string): { readonly filters: ExploreState['filters'] } | { readonly problem: string } {
  try {
    const filters = parseFilters(text);
    return filters === undefined ? { problem: words.notList } : { filters };
  } catch (error) {
    return { problem: `${words.notJson} ${messageOf(error)}` };
  }
}

interface VqlFormProps extends ExploreNavigation {
  readonly datasetId: string;
  readonly onDone: () => void;
}

/** Filters the page, if the service accepts the filters. */
const useApply = ({ datasetId, state, change, onDone }: VqlFormProps, onError: (error: unknown) => void) =>
  useMutation({
    mutationFn: async (filters: ExploreState['filters']) => {
      // Explore asks for the same as soon as the filters are in the address.
      await queries.query(facetsOf(datasetId, { ...state, filters }));
      return filters;
    },
    onSuccess: (filters) => {
      change({ filters });
      onDone();
    },
    onError,
  });

/** The filters as the API gets them. Whether they are right is for the service to say. */
export function VqlForm({ datasetId, state, change, onDone }: VqlFormProps) {
  const [text, setText] = useState(state.unreadable ?? textOf(state.filters));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const editor = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const apply = useApply({ datasetId, state, change, onDone }, (error) => setProblems(problemsOf(error)));
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault();
    const read = parsed(text);
    if ('problem' in read) setProblems([{ text: read.problem, path: null }]);
    else apply.mutate(read.filters);
  };
  const write = (next: string) => {
    setText(next);
    setProblems([]);
  };
  const show = (path: Path) => {
    const [from, to] = scan(text, 0).rangeOf(path);
    editor.current?.focus();
    editor.current?.setSelectionRange(from, to);
  };
  const isInvalid = problems.length > 0;
  return (
    <form className={styles.form} onSubmit={submit}>
      <label className={styles.label} htmlFor={id}>
        {words.label}
      </label>
      <Editor {...{ id, editor, datasetId, state, text, isInvalid }} onChange={write} onSubmit={submit} />
      <Problems id={`${id}-problems`} problems={problems} onShow={show} />
      <div className={styles.actions}>
        <p className={styles.hint}>{words.hint}</p>
        <Button kind="primary" type="submit" isDisabled={apply.isPending}>
          {words.apply}
        </Button>
      </div>
    </form>
  );
}

function Problems({
  id,
  problems,
  onShow,
}: {
  readonly id: string;
  readonly problems: readonly Problem[];
  readonly onShow: (path: Path) => void;
}) {
  return (
    <div id={id} role="alert">
      {problems.map(({ text, path }, at) => (
        <p key={at} className={styles.problem}>
          {path === null ? (
            text
          ) : (
            <button type="button" onClick={() => onShow(path)}>
              <code>{path.join(' › ')}</code> {text}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}

const FOLDERS_ROOT = '/';

function useKnownValues(datasetId: string, state: ExploreState): KnownValues {
  const { data } = useFacets(datasetId, state);
  if (data === undefined) return {};
  const named = ({ value }: { readonly value: string }) => ({ value, name: value });
  return {
    labels: data.labels.map(named),
    tags: data.tags.map(({ id, name }) => ({ value: id, name })),
    folders: data.folders.map(({ value }) => named({ value: value === '' ? FOLDERS_ROOT : value })),
  };
}

interface EditorProps {
  readonly id: string;
  readonly editor: React.RefObject<HTMLTextAreaElement | null>;
  readonly datasetId: string;
  readonly state: ExploreState;
  readonly text: string;
  readonly isInvalid: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

/** What fits at the caret, which of that is chosen, and how it is written. */
function useSuggestions({ editor, datasetId, state, text, onChange }: EditorProps) {
  const { data: schema = [] } = useVqlSchema();
  const known = useKnownValues(datasetId, state);
  const [caret, setCaret] = useState(text.length);
  const [chosen, setChosen] = useState(-1);
  const { place } = scan(text, caret);
  const suggestions = place === null ? [] : suggestionsAt(place, schema, known);
  // Enter breaks the line unless a word was begun or a suggestion chosen.
  const active = Math.min(suggestions.length - 1, chosen < 0 && place !== null && place.typed !== '' ? 0 : chosen);
  const moveTo = (at: number) => {
    setCaret(at);
    setChosen(-1);
  };
  const insert = ({ insert: written, caret: inside }: Suggestion) => {
    if (place === null) return;
    const at = place.from + inside;
    onChange(text.slice(0, place.from) + written + text.slice(place.to));
    moveTo(at);
    requestAnimationFrame(() => {
      editor.current?.focus();
      editor.current?.setSelectionRange(at, at);
    });
  };
  return { suggestions, active, caret, moveTo, choose: setChosen, insert };
}

/** Suggestions for the caret are shown beside the text. */
function Editor(props: EditorProps) {
  const { id, editor, text, isInvalid, onChange, onSubmit } = props;
  const { suggestions, active, caret, moveTo, choose, insert } = useSuggestions(props);
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit();
    else if (isArrow && (active >= 0 || event.altKey) && suggestions.length > 0)
      choose((active + (event.key === 'ArrowDown' ? 1 : -1) + suggestions.length) % suggestions.length);
    else if (event.key === 'Enter' && active >= 0 && !event.shiftKey) insert(suggestions[active]!);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.editor}>
      <textarea
        ref={editor}
        id={id}
        className={styles.text}
        rows={9}
        value={text}
        autoFocus
        spellCheck={false}
        aria-invalid={isInvalid}
        aria-describedby={`${id}-problems`}
        aria-autocomplete="list"
        aria-controls={suggestions.length > 0 ? `${id}-fits` : undefined}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        onChange={({ target }) => {
          onChange(target.value);
          moveTo(target.selectionStart);
        }}
        onSelect={({ currentTarget }) => {
          if (currentTarget.selectionStart !== caret) moveTo(currentTarget.selectionStart);
        }}
        onKeyDown={onKeyDown}
      />
      <Fitting id={id} suggestions={suggestions} active={active} onChoose={insert} />
    </div>
  );
}

function Fitting({
  id,
  suggestions,
  active,
  onChoose,
}: {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  readonly onChoose: (suggestion: Suggestion) => void;
}) {
  return (
    <div className={styles.fitting}>
      {suggestions.length === 0 ? (
        <p className={styles.hint}>{words.nothingFits}</p>
      ) : (
        <ul id={`${id}-fits`} role="listbox" aria-label={words.fits}>
          {suggestions.map((each, at) => (
            <li
              key={each.insert}
              ref={at === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              className={styles.fit}
              title={each.note}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(each)}
            >
              <code dir="auto">{each.text}</code>
              {each.note !== '' && <small>{each.note}</small>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
