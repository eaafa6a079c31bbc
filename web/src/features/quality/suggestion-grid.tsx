import { useState } from 'react';
import { useMayChange } from '../../api/datasets';
import { Pending } from '../../api/failure';
import { Button, IconButton } from '../../design/button';
import { Icon } from '../../design/icon';
import { Picture } from '../../media/picture';
import { texts } from '../../texts';
import { formatPercent } from '../../texts/format';
import {
  useSuggestions,
  type AskedSuggestions,
  type LabelDecisions,
  type Pair,
  type Suggestion,
} from './suggestion-queries';
import styles from './suggestions.module.css';

const { suggestions: words } = texts.quality;

interface SuggestionGridProps {
  readonly datasetId: string;
  readonly onOpen: (mediaId: string, among: readonly string[]) => void;
  readonly asked: AskedSuggestions;
  readonly pair: Pair;
  readonly decisions: LabelDecisions;
}

/** The media of a pair. A press keeps the label of one, or lets it go again. */
export function SuggestionGrid({ datasetId, asked, pair, decisions, onOpen }: SuggestionGridProps) {
  const mayChange = useMayChange(datasetId);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const suggestions = useSuggestions(datasetId, asked, pair);
  const { data } = suggestions;
  if (data === undefined) return <Pending of={suggestions} height={180} />;
  const { media, total } = data;
  const isKept = ({ media_id: id }: Suggestion) => kept.has(id);
  const ids = media.map(({ media_id: id }) => id);
  const toggle = (id: string) => setKept((before) => new Set(before.has(id) ? withoutId(before, id) : [...before, id]));
  return (
    <>
      <ul className={styles.grid}>
        {media.map((suggestion) => (
          <Tile
            key={suggestion.media_id}
            suggestion={suggestion}
            isKept={isKept(suggestion)}
            onToggle={mayChange ? () => toggle(suggestion.media_id) : undefined}
            onDetails={() => onOpen(suggestion.media_id, ids)}
          />
        ))}
      </ul>
      {total > media.length && <p className={styles.text}>{words.shown(media.length, total)}</p>}
      {mayChange && media.length > 0 && (
        <Actions media={media} isKept={isKept} total={total} {...{ asked, pair, decisions }} />
      )}
    </>
  );
}

function Actions({
  media,
  isKept,
  total,
  asked,
  pair,
  decisions: { decide, takeOverAll, isPending },
}: Pick<SuggestionGridProps, 'asked' | 'pair' | 'decisions'> & {
  readonly media: readonly Suggestion[];
  readonly isKept: (suggestion: Suggestion) => boolean;
  readonly total: number;
}) {
  const verdicts = { takeOver: media.filter((each) => !isKept(each)), keep: media.filter(isKept) };
  return (
    <div className={styles.actions}>
      <Button kind="primary" icon="check" isDisabled={isPending} onPress={() => decide.mutate(verdicts)}>
        {words.decide(verdicts.takeOver.length, verdicts.keep.length)}
      </Button>
      <Button isDisabled={isPending} onPress={() => decide.mutate({ takeOver: [], keep: media })}>
        {words.keepAll}
      </Button>
      {total > media.length && (
        <Button isDisabled={isPending} onPress={() => takeOverAll.mutate({ ...asked, pair })}>
          {words.takeOverAll(total)}
        </Button>
      )}
    </div>
  );
}

const withoutId = (ids: ReadonlySet<string>, id: string): string[] => [...ids].filter((each) => each !== id);

function Tile({
  suggestion: { label_now: label, suggested, confidence, file_name: name, media_thumb_uri: uri },
  isKept,
  onToggle,
  onDetails,
}: {
  readonly suggestion: Suggestion;
  readonly isKept: boolean;
  /** Undefined for those who only look. */
  readonly onToggle: (() => void) | undefined;
  readonly onDetails: () => void;
}) {
  const verdict = isKept ? words.stays(label) : suggested;
  return (
    <li className={styles.tile} data-kept={isKept}>
      <button type="button" className={styles.picture} aria-pressed={isKept} onClick={onToggle ?? onDetails}>
        <Picture src={uri} alt="" loading="lazy" draggable={false} />
        {onToggle !== undefined && (
          <span className={styles.verdict}>
            <Icon name={isKept ? 'close' : 'check'} size={12} />
            <bdi>{verdict}</bdi>
          </span>
        )}
        <span className="visually-hidden" dir="auto">
          : {name}
        </span>
      </button>
      <div className={styles.name}>
        <span dir="auto" title={name}>
          {name}
        </span>
        <small>{formatPercent(confidence)}</small>
        <IconButton icon="info" label={words.open(name)} onPress={onDetails} />
      </div>
    </li>
  );
}
