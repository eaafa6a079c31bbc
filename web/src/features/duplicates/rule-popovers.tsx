import { Button, IconButton } from '../../design/button';
import { TextField } from '../../design/field';
import { Popover } from '../../design/popover';
import { SelectField, type SelectOption } from '../../design/select';
import { texts } from '../../texts';
import { useScopes, useViews, type Options } from './duplicate-queries';
import type { ReviewNavigation } from './review-state';
import styles from './duplicates.module.css';

const { duplicates: words } = texts;

const nameOf = (folder: string): string => (folder === '' || folder === '/' ? words.folders.root : folder);

/** Folders in the order in which they are preferred. */
export function FoldersPopover({ datasetId, state, change }: ReviewNavigation & { readonly datasetId: string }) {
  const { folders } = state;
  const { data } = useScopes(datasetId);
  const others = (data?.folders ?? []).map(({ value }) => value).filter((each) => !folders.includes(each));
  const without = (folder: string) => folders.filter((each) => each !== folder);
  const up = (at: number) => [...folders.slice(0, at - 1), folders[at]!, folders[at - 1]!, ...folders.slice(at + 1)];
  return (
    <Popover
      label={words.folders.title}
      trigger={<Button icon="folder">{words.folders.button(folders.length)}</Button>}
    >
      <div className={styles.form}>
        <p>{words.folders.hint}</p>
        <ol className={styles.folders}>
          {folders.map((folder, at) => (
            <li key={folder}>
              <span dir="auto" title={folder}>
                {at + 1}. {nameOf(folder)}
              </span>
              <IconButton
                icon="up"
                label={words.folders.up(nameOf(folder))}
                isDisabled={at === 0}
                onPress={() => change({ folders: up(at) })}
              />
              <IconButton
                icon="close"
                label={words.folders.remove(nameOf(folder))}
                onPress={() => change({ folders: without(folder) })}
              />
            </li>
          ))}
        </ol>
        <SelectField
          label={words.folders.add}
          value=""
          options={[
            { value: '', label: words.folders.choose },
            ...others.map((folder) => ({ value: `/${folder}`, label: nameOf(folder) })),
          ]}
          onChange={(value) => {
            if (value !== '') change({ folders: [...folders, value.slice(1)] });
          }}
        />
      </div>
    </Popover>
  );
}

const ANY: SelectOption = { value: '', label: words.scope.any };

/** Narrows the groups to a folder, a label or a view. */
export function ScopePopover({ datasetId, state, change }: ReviewNavigation & { readonly datasetId: string }) {
  const { data: facets } = useScopes(datasetId);
  const { data: views = [] } = useViews(datasetId);
  const { folder, label, view } = state;
  const viewName = views.find(({ id }) => id === view)?.name;
  const chosen = [...(folder === null ? [] : [nameOf(folder)]), label, viewName ?? null].filter(
    (each) => each !== null,
  );
  return (
    <Popover
      label={words.scope.title}
      trigger={
        <Button icon="filter">
          <span className={styles.scope} dir="auto">
            {chosen.length === 0 ? words.scope.button : words.scope.narrowed(chosen)}
          </span>
        </Button>
      }
    >
      <div className={styles.form}>
        <p>{words.scope.hint}</p>
        <SelectField
          label={words.scope.folder}
          value={folder === null ? '' : `/${folder}`}
          options={[ANY, ...(facets?.folders ?? []).map(({ value }) => ({ value: `/${value}`, label: nameOf(value) }))]}
          onChange={(value) => change({ folder: value === '' ? null : value.slice(1) })}
        />
        <SelectField
          label={words.scope.label}
          value={label ?? ''}
          options={[ANY, ...(facets?.labels ?? []).map(({ value }) => ({ value, label: value }))]}
          onChange={(value) => change({ label: value === '' ? null : value })}
        />
        {views.length > 0 && (
          <SelectField
            label={words.scope.view}
            value={view ?? ''}
            options={[ANY, ...views.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(value) => change({ view: value === '' ? null : value })}
          />
        )}
        {chosen.length > 0 && (
          <Button onPress={() => change({ folder: null, label: null, view: null })}>{words.scope.clear}</Button>
        )}
      </div>
    </Popover>
  );
}

interface OptionsProps {
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

export function OptionsPopover({ options, onChange }: OptionsProps) {
  return (
    <Popover label={words.options.title} trigger={<Button icon="tag">{words.options.button}</Button>}>
      <div className={styles.form}>
        <OptionFields options={options} onChange={onChange} />
      </div>
    </Popover>
  );
}

export function OptionFields({ options, onChange }: OptionsProps) {
  const { tag, carriesTags, carriesTexts } = options;
  return (
    <>
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={tag !== null}
          onChange={({ target }) => onChange({ ...options, tag: target.checked ? words.toRemove : null })}
        />
        {words.options.tag}
      </label>
      {tag !== null && (
        <TextField
          label={words.options.tagName}
          value={tag}
          maxLength={255}
          onChange={({ target }) => onChange({ ...options, tag: target.value })}
        />
      )}
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={carriesTags}
          onChange={({ target }) => onChange({ ...options, carriesTags: target.checked })}
        />
        {words.options.carryTags}
      </label>
      <label className={styles.option}>
        <input
          type="checkbox"
          checked={carriesTexts}
          onChange={({ target }) => onChange({ ...options, carriesTexts: target.checked })}
        />
        {words.options.carryTexts}
      </label>
      <p>{words.options.carryTextsHint}</p>
      <p>{words.noFileIsDeleted}</p>
    </>
  );
}
