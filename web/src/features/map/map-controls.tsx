import { IconButton } from '../../design/button';
import { texts } from '../../texts';
import { showAll, zoomIn, zoomOut } from './map-keys';
import type { MapScene } from './map-scene';
import type { AreaTool } from './use-area-tool';
import styles from './map-stage.module.css';

const { map: words } = texts;

export function MapControls({ scene, tool }: { readonly scene: MapScene; readonly tool: AreaTool }) {
  return (
    <div className={styles.controls} role="group" aria-label={words.tools}>
      <IconButton icon="plus" label={words.zoomIn} onPress={() => zoomIn(scene)} />
      <IconButton icon="minus" label={words.zoomOut} onPress={() => zoomOut(scene)} />
      <IconButton icon="box" label={words.fit} onPress={() => showAll(scene)} />
      <span className={styles.between} />
      <span data-on={tool.isOn}>
        <IconButton icon="lasso" label={words.draw} aria-pressed={tool.isOn} onPress={tool.toggle} />
      </span>
    </div>
  );
}
