export const design = {
  close: 'Close',
  cancel: 'Cancel',
  dismiss: 'Dismiss',
  notices: 'Notices',
};
