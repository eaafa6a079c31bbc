import { formatNumber } from './format';

export const design = {
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  notices: 'Notices',
  pager: {
    label: 'Pages',
    previous: 'Previous page',
    next: 'Next page',
    range: (from: number, to: number, total: number) =>
      `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
  },
};
