import { useContext } from 'react';
import { DatasetContext, useDatasets } from '../../api/datasets';
import { Failure } from '../../api/failure';
import { Button } from '../../design/button';
import { Select } from '../../design/choices';
import { PageHeader } from '../../design/page-header';
import { Pager } from '../../design/pager';
import { RowList } from '../../design/row-list';
import { EmptyState, Skeleton } from '../../design/state';
import { texts } from '../../texts';
import { PAGE_SIZE, useTaskFilters, useTasks, useTaskSearch, type TaskSearch } from './task-queries';
import { TaskRow } from './task-row';
import { STATUSES } from './task-rules';
import styles from './tasks.module.css';

const { tasks: words } = texts;

/** Of all datasets, or of the one that it is below. */
export function TasksPage() {
  const dataset = useContext(DatasetContext);
  const [asked, change] = useTaskSearch();
  const search = dataset === null ? asked : { ...asked, dataset: dataset.id };
  const { data, error, refetch } = useTasks(search);
  const isNarrowed = asked.type !== '' || asked.status !== '' || (dataset === null && asked.dataset !== '');
  const clear = () => change({ type: '', status: '', dataset: '' });
  return (
    <>
      <PageHeader
        title={dataset === null ? words.title : words.titleOf(dataset.display_name)}
        note={data === undefined ? undefined : words.count(data.total)}
      />
      <div className={styles.page}>
        <Filters search={search} change={change} hasDatasets={dataset === null} />
        {data === undefined && error !== null && <Failure error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && SKELETONS}
        {data?.tasks.length === 0 && (
          <EmptyState
            icon="tasks"
            title={isNarrowed ? words.none.filtered : words.none.title}
            text={isNarrowed ? words.none.filteredText : words.none.text}
          >
            {isNarrowed && <Button onPress={clear}>{words.filters.clear}</Button>}
          </EmptyState>
        )}
        {data !== undefined && data.tasks.length > 0 && (
          <RowList label={words.list}>
            {data.tasks.map((task) => (
              <TaskRow key={task.task_id} task={task} showsDataset={dataset === null} />
            ))}
          </RowList>
        )}
        {data !== undefined && (
          <Pager page={search.page} pageSize={PAGE_SIZE} total={data.total} onChange={(page) => change({ page })} />
        )}
      </div>
    </>
  );
}

const SKELETONS = Array.from({ length: 6 }, (_, at) => <Skeleton key={at} style={{ height: 56, marginBottom: 8 }} />);

/** The values, after the choice of all of them. */
const optionsOf = <Value extends string>(all: string, values: readonly Value[], nameOf: (value: Value) => string) => [
  { value: '', label: all },
  ...values.map((value) => ({ value, label: nameOf(value) })),
];

function Filters({
  search: { type, status, dataset },
  change,
  hasDatasets,
}: {
  readonly search: TaskSearch;
  readonly change: (part: Partial<TaskSearch>) => void;
  readonly hasDatasets: boolean;
}) {
  const { filters } = words;
  const { data } = useTaskFilters();
  const { data: datasets = [] } = useDatasets();
  // What is asked for must be among the choices, even if no task has it any more.
  const types = [...new Set([...(data?.task_types ?? []), ...(type === '' ? [] : [type])])];
  const ids = [...new Set([...(data?.dataset_ids ?? []), ...(dataset === '' ? [] : [dataset])])];
  const nameOf = (id: string) => datasets.find((each) => each.id === id)?.display_name ?? id;
  const typeNames: Readonly<Record<string, string>> = words.types;
  return (
    <div className={styles.filters} role="group" aria-label={filters.label}>
      <Select
        label={filters.type}
        value={type}
        options={optionsOf(filters.allTypes, types, (value) => typeNames[value] ?? value)}
        onChange={(value) => change({ type: value })}
      />
      <Select
        label={filters.status}
        value={status}
        options={optionsOf(filters.allStatuses, STATUSES, (value) => words.statuses[value])}
        onChange={(value) => change({ status: value })}
      />
      {hasDatasets && (
        <Select
          label={filters.dataset}
          value={dataset}
          options={optionsOf(filters.allDatasets, ids, nameOf)}
          onChange={(value) => change({ dataset: value })}
        />
      )}
    </div>
  );
}
