import { useState } from 'react';
import { Link } from 'react-router';
import { Pending } from '../../api/failure';
import { Select, Switch } from '../../design/choices';
import { Pager } from '../../design/pager';
import { Chip } from '../../design/state';
import { Table } from '../../design/table';
import { BarValue } from '../../design/value-bars';
import { texts } from '../../texts';
import { formatNumber } from '../../texts/format';
import { SLICES_PAGE, useSlices, type Asked, type Slice, type SlicedBy } from './evaluate-queries';
import { differenceText, figureName, figureText } from './figure-texts';
import { farthest, Interval } from './interval';
import { Part } from './part';
import { exploreAddress } from './pictures-of';
import styles from './evaluate.module.css';

const { slices: words } = texts.evaluate;
const BY = [
  { value: '', label: words.anything },
  ...Object.entries(words.by).map(([value, label]) => ({ value, label })),
].map(({ value, label }) => ({ value, label: `${words.only}: ${label}` }));
const HEIGHT_PX = 160;

/** Where the figure is worse than elsewhere. */
export function Slices({ asked }: { readonly asked: Asked }) {
  const [by, setBy] = useState('');
  const [isAll, setIsAll] = useState(false);
  const [page, setPage] = useState(0);
  const slices = useSlices(asked, { by: by === '' ? undefined : (by as SlicedBy), isAll, page });
  const startWith = (change: () => void) => {
    change();
    setPage(0);
  };
  const { data } = slices;
  return (
    <Part
      title={words.title}
      text={words.text}
      tools={
        <>
          <Switch label={words.all} isOn={isAll} onChange={(next) => startWith(() => setIsAll(next))}>
            {words.all}
          </Switch>
          <Select label={words.only} options={BY} value={by} onChange={(next) => startWith(() => setBy(next))} />
        </>
      }
    >
      {data === undefined ? (
        <Pending of={slices} height={HEIGHT_PX} />
      ) : data.slices.length === 0 ? (
        <p className={styles.muted}>{isAll ? words.nothing : words.none}</p>
      ) : (
        <>
          <SliceTable
            asked={asked}
            label={words.title}
            names={[figureName(data.figure), words.columns.rest]}
            slices={data.slices}
          />
          <Pager page={page} pageSize={SLICES_PAGE} total={data.total} onChange={setPage} />
        </>
      )}
    </Part>
  );
}

export function SliceTable({
  asked,
  label,
  names: [figure, rest],
  slices,
}: {
  readonly asked: Asked;
  readonly label: string;
  /** Of the figure of a slice, and of the one that it is compared with. */
  readonly names: readonly [string, string];
  readonly slices: readonly Slice[];
}) {
  const { slice, pictures, truth, difference } = words.columns;
  const most = farthest(slices.map(({ interval }) => interval));
  const mixed = slices.some(({ worse }) => !worse);
  return (
    <Table label={label} columns={[slice, pictures, truth, figure, rest, difference]}>
      {slices.map((each, at) => (
        <tr key={at}>
          <td>
            <SliceName asked={asked} slice={each} />
            {each.worse && mixed && <Chip tone="bad">{words.worse}</Chip>}
          </td>
          <td className={styles.number}>{formatNumber(each.n_media)}</td>
          <td className={styles.number}>{formatNumber(each.n_truth)}</td>
          <td className={styles.number}>
            <BarValue value={each.figure} text={figureText(each.figure)} />
          </td>
          <td className={styles.number}>{figureText(each.rest)}</td>
          <td className={styles.number}>
            <span className={styles.difference}>
              {differenceText(each.difference)}
              <Interval interval={each.interval} most={most} />
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

function SliceName({ asked, slice: { conditions, vql } }: { readonly asked: Asked; readonly slice: Slice }) {
  const name = conditions.map((each) => words.condition(words.by[each.by], each.name)).join(', ');
  return (
    <Link
      className={`${styles.link} ${styles.slice}`}
      to={exploreAddress(asked.datasetId, vql)}
      aria-label={words.open(name)}
      dir="auto"
    >
      {name}
    </Link>
  );
}
