import { adding } from './adding';
import { admin } from './admin';
import { annotating } from './annotating';
import { annotations } from './annotations';
import { apiKeys } from './api-keys';
import { datasets } from './datasets';
import { describing } from './describing';
import { design } from './design';
import { duplicates } from './duplicates';
import { editing } from './editing';
import { enrich } from './enrich';
import { evaluate } from './evaluate';
import { explore } from './explore';
import { history } from './history';
import { keyboard } from './keyboard';
import { labelling } from './labelling';
import { map } from './map';
import { media } from './media';
import { quality } from './quality';
import { notifications } from './notifications';
import { review } from './review';
import { shell } from './shell';
import { subsets } from './subsets';
import { tasks } from './tasks';
import { views } from './views';
import { webhooks } from './webhooks';

/** Every text of the console, a file for each feature. Another language is another object of this type. */
export const texts = {
  design,
  shell,
  keyboard,
  datasets,
  explore,
  map,
  media,
  annotations,
  annotating,
  describing,
  labelling,
  adding,
  editing,
  duplicates,
  quality,
  evaluate,
  review,
  subsets,
  tasks,
  history,
  views,
  notifications,
  enrich,
  webhooks,
  apiKeys,
  admin,
};
