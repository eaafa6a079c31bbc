import { lazyPart } from '../../design/lazy-part';
import type { PageDefinition } from '../../app/page-definition';
import { texts } from '../../texts';

// The page knows by where it is whether it is about all datasets or about one.
const page = lazyPart(async () => (await import('./tasks.page')).TasksPage);

export const datasetTaskPages: readonly PageDefinition[] = [
  { path: 'tasks', page, entry: { label: texts.tasks.title, icon: 'tasks' } },
];

export const allTaskPages: readonly PageDefinition[] = [
  { path: 'tasks', page, entry: { label: texts.tasks.all, icon: 'tasks' } },
];
