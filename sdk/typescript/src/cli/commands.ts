import type { Command } from './command.js';
import { tasks, watch } from './commands/activity.js';
import { annotate } from './commands/annotate.js';
import { annotations } from './commands/annotations.js';
import { create, datasets, folders, remove, rename } from './commands/datasets.js';
import { doctor } from './commands/doctor.js';
import { duplicates } from './commands/duplicates.js';
import { evaluate } from './commands/evaluate.js';
import { exportDataset } from './commands/export.js';
import { facets } from './commands/facets.js';
import { clone, restore, snapshot } from './commands/history.js';
import { review } from './commands/review.js';
import { search } from './commands/search.js';
import { login, logout } from './commands/session.js';
import { copy, removeMedia } from './commands/subsets.js';
import { tags } from './commands/tags.js';
import { add, upload } from './commands/upload.js';
import { vectors } from './commands/vectors.js';
import { completionCommand } from './completion.js';

export const COMMANDS: readonly Command[] = [
  login,
  logout,
  datasets,
  folders,
  create,
  rename,
  upload,
  add,
  annotate,
  annotations,
  vectors,
  search,
  facets,
  tags,
  duplicates,
  review,
  evaluate,
  exportDataset,
  watch,
  snapshot,
  restore,
  clone,
  copy,
  removeMedia,
  tasks,
  remove,
  doctor,
  completionCommand(() => COMMANDS),
];
