/** Words that many parts of the windows share. */
export const commonText = {
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  delete: 'Delete',
  dismiss: 'Dismiss',
  dontCancel: "Don't cancel",
  loading: 'Loading',
  reload: 'Reload',
  retry: 'Retry',
  tryAgain: 'Try again',
  undo: 'Undo',
};
