import { Fragment, type ReactNode } from 'react';
import type { components } from 'dataset-media-service-sdk';
import { useMutation } from '@tanstack/react-query';
import { Heading } from 'react-aria-components/Heading';
import { messageOf } from '../api/failure';
import { Button } from '../design/button';
import { Chip } from '../design/state';
import { toast } from '../design/toast';
import { texts } from '../texts';
import { formatPercent } from '../texts/format';
import { AnnotationSection } from './annotations/annotation-section';
import type { PictureAnnotations } from './annotations/use-annotations';
import { OutcomeLegend } from './evaluating/outcome-legend';
import type { PictureOutcomes } from './evaluating/use-picture-outcomes';
import { MediaFacts } from './media-facts';
import { MediaMetrics } from './media-metrics';
import { Frames, Previews } from './media-previews';
import { Section } from './media-section';
import { hasWord } from './sought-words';
import styles from './media-dialog.module.css';

type MediaDetail = components['schemas']['MediaDetail'];
type EntityType = 'IMAGES' | 'OBJECTS' | 'VIDEOS';

const { detail: words } = texts.media;
const MOST_SIMILAR = 12;
const ENTITY_OF: Readonly<Record<MediaDetail['type'], EntityType>> = {
  IMAGE: 'IMAGES',
  OBJECT: 'OBJECTS',
  VIDEO: 'VIDEOS',
};

interface ActionsProps {
  readonly media: MediaDetail;
  readonly onFindSimilar?: ((mediaId: string, entity: EntityType) => void) | undefined;
  readonly onPicture?: ((picture: Blob) => void) | undefined;
}

interface FieldsProps extends ActionsProps {
  readonly annotations: PictureAnnotations;
  readonly outcomes: PictureOutcomes | undefined;
  readonly onOpen: (mediaId: string) => void;
  readonly onBatch?: ((batchId: string) => void) | undefined;
  /** Plays the video from there. */
  readonly onSeek: (seconds: number) => void;
  /** Lines of text with one of these words are marked. */
  readonly words: readonly string[];
}

/** All that is known of a medium. */
export function MediaFields({ media, annotations, outcomes, onOpen, words: sought, ...actions }: FieldsProps) {
  const { onFindSimilar, onPicture, onBatch, onSeek } = actions;
  const { label_sources: labels, user_tags: tags, parent, children } = media;
  return (
    <>
      <Heading slot="title" level={2} dir="auto">
        {media.file_name}
      </Heading>
      <Actions media={media} onFindSimilar={onFindSimilar} onPicture={onPicture} />
      <Texts media={media} sought={sought} />
      <Section title={words.labels}>
        <Chips
          all={labels.map(({ label, source, confidence }) => ({
            key: `${label}:${source ?? ''}`,
            text: confidence === null ? label : `${label} ${formatPercent(confidence)}`,
          }))}
        />
      </Section>
      <Section title={words.tags}>
        <Chips all={Object.entries(tags ?? {}).map(([key, { name }]) => ({ key, text: name }))} />
      </Section>
      <AnnotationSection {...annotations}>
        {outcomes !== undefined && <OutcomeLegend {...outcomes} />}
      </AnnotationSection>
      <MediaMetrics media={media} />
      {media.type === 'VIDEO' && <Frames frames={children} onOpen={onOpen} onSeek={onSeek} />}
      <Previews title={words.similar} previews={media.neighbours.slice(0, MOST_SIMILAR)} onOpen={onOpen} />
      {media.type !== 'VIDEO' && (
        <Previews title={words.children} previews={children.slice(0, MOST_SIMILAR)} onOpen={onOpen} />
      )}
      {parent !== null && <Previews title={words.parent} previews={[parent]} onOpen={onOpen} />}
      <MediaFacts media={media} onBatch={onBatch} />
    </>
  );
}

function Actions({ media, onFindSimilar, onPicture }: ActionsProps) {
  return (
    <div className={styles.actions}>
      {/* The service compares the frames of a video, and not the video. */}
      {onFindSimilar !== undefined && media.type !== 'VIDEO' && (
        <Button icon="similar" onPress={() => onFindSimilar(media.media_id, ENTITY_OF[media.type])}>
          {texts.media.findSimilar}
        </Button>
      )}
      {onPicture !== undefined && <PartSearch media={media} onPicture={onPicture} />}
      <a className={styles.link} href={media.media_uri} target="_blank" rel="noreferrer">
        {words.original}
      </a>
    </div>
  );
}

function Texts({
  media: { caption, caption_source: source, generated_caption: generated, text_lines: lines, text_source: reader },
  sought,
}: {
  readonly media: MediaDetail;
  readonly sought: readonly string[];
}) {
  return (
    <>
      {caption !== null && <Caption title={words.caption} note={source} text={caption} />}
      {generated !== null && generated !== caption && <Caption title={words.generated} note={null} text={generated} />}
      {lines.length > 0 && (
        <Caption
          title={words.text}
          note={reader}
          text={lines.map(({ text }, at) => (
            <Fragment key={at}>
              {hasWord(text, sought) ? <mark>{text}</mark> : text}
              {'\n'}
            </Fragment>
          ))}
        />
      )}
    </>
  );
}

function Caption({
  title,
  note,
  text,
}: {
  readonly title: string;
  readonly note: string | null;
  readonly text: ReactNode;
}) {
  return (
    <Section title={title} note={note}>
      <p className={styles.caption} dir="auto">
        {text}
      </p>
    </Section>
  );
}

/** Only where the page may read the picture: the content security policy allows that from the service itself. */
function PartSearch({
  media: { type, parent, image_uri: own },
  onPicture,
}: {
  readonly media: MediaDetail;
  readonly onPicture: (picture: Blob) => void;
}) {
  const uri = type === 'OBJECT' ? (parent?.image_uri ?? '') : own;
  const read = useMutation({
    mutationFn: async () => {
      const response = await fetch(uri);
      if (!response.ok) throw new Error(response.statusText);
      return response.blob();
    },
    onSuccess: onPicture,
    onError: (error) => toast({ text: texts.explore.search.failed(messageOf(error)), isFailure: true }),
  });
  if (type === 'VIDEO' || !URL.canParse(uri) || new URL(uri).origin !== window.location.origin) return null;
  return (
    <Button icon="box" isDisabled={read.isPending} onPress={() => read.mutate()}>
      {texts.media.searchByPart}
    </Button>
  );
}

function Chips({ all }: { readonly all: readonly { readonly key: string; readonly text: string }[] }) {
  if (all.length === 0) return <p className={styles.muted}>{words.none}</p>;
  return (
    <div className={styles.chips} dir="auto">
      {all.map(({ key, text }) => (
        <Chip key={key}>{text}</Chip>
      ))}
    </div>
  );
}
