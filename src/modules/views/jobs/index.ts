import { EVALUATE_VIEWS } from './evaluate-views.job';

export const VIEW_JOBS = [EVALUATE_VIEWS];
