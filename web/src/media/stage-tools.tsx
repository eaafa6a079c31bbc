import type { components } from 'dataset-media-service-sdk';
import { messageOf } from '../api/failure';
import { IconButton } from '../design/button';
import { toast } from '../design/toast';
import { texts } from '../texts';
import type { PictureAnnotations } from './annotations/use-annotations';
import type { Layers } from './media-stage';

type MediaDetail = components['schemas']['MediaDetail'];

const { detail: words } = texts.media;

/** What is drawn on the picture, and its link. */
export function StageTools({
  media,
  annotations,
  layers,
  onChange,
}: {
  readonly media: MediaDetail;
  readonly annotations: PictureAnnotations;
  readonly layers: Layers;
  readonly onChange: (layers: Layers) => void;
}) {
  const toggle = (name: keyof Layers) => () => onChange({ ...layers, [name]: !layers[name] });
  const copy = () => {
    navigator.clipboard.writeText(window.location.href).then(
      () => toast({ text: words.copied }),
      (error: unknown) => toast({ text: messageOf(error), isFailure: true }),
    );
  };
  return (
    <>
      {annotations.hasShapes && (
        <ToggleTool icon="box" label={texts.annotations.title} isOn={layers.shapes} onPress={toggle('shapes')} />
      )}
      {media.text_lines.length > 0 && (
        <ToggleTool icon="text" label={words.text} isOn={layers.text} onPress={toggle('text')} />
      )}
      {media.type !== 'VIDEO' && media.caption !== null && (
        <ToggleTool icon="caption" label={words.caption} isOn={layers.caption} onPress={toggle('caption')} />
      )}
      {/* Browsers have no clipboard for pages without TLS. */}
      {window.isSecureContext && <IconButton kind="normal" icon="link" label={words.copyLink} onPress={copy} />}
    </>
  );
}

function ToggleTool({
  icon,
  label,
  isOn,
  onPress,
}: {
  readonly icon: 'box' | 'text' | 'caption';
  readonly label: string;
  readonly isOn: boolean;
  readonly onPress: () => void;
}) {
  return <IconButton kind="normal" icon={icon} label={label} aria-pressed={isOn} onPress={onPress} />;
}
