import { formatNumber } from './format';

export const design = {
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  notices: 'Notices',
  naming: { name: 'Name', description: 'Description' },
  pager: {
    label: 'Pages',
    previous: 'Previous page',
    next: 'Next page',
    range: (from: number, to: number, total: number) =>
      `${formatNumber(from)}–${formatNumber(to)} of ${formatNumber(total)}`,
  },
  secret: {
    copy: (label: string) => `Copy ${label}`,
    copyShort: 'Copy',
    copied: (label: string) => `${label} is copied.`,
    notCopied: 'The browser does not allow copying here. Select the text and copy it.',
    kept: 'I have kept it',
  },
};
