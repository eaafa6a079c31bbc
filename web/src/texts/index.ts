import { datasets } from './datasets';
import { design } from './design';
import { duplicates } from './duplicates';
import { explore } from './explore';
import { media } from './media';
import { quality } from './quality';
import { shell } from './shell';

/** Every text of the console, a file for each feature. Another language is another object of this type. */
export const texts = { design, shell, datasets, explore, media, duplicates, quality };
