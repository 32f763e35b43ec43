import { formatPrice } from './values.ts';

/** The list of pods. */
export const podsPaneText = {
  title: 'Pods',
  addRestUrl: 'Add the REST URL',
  noRestUrl:
    'Pods and templates are read from the management interface, which has its own address. Pods you opened before ' +
    'still open.',
  offline: 'Offline',
  sandboxStopped: 'The sandbox is not running',
  openAsLastRead: 'Pods open as last read, with their age. Reading them again needs the service.',
  couldNotRead: 'Could not read the saved pods',
  emptyTitle: 'No pods yet',
  emptyHint:
    'The service does not list pods, so open each one by its id once. It then stays here with the data last read.',
  pinned: 'Pinned',
  recent: 'Recent',
};

/** The field that opens a pod by its id. */
export const openPodText = {
  form: 'Open a pod by id',
  id: 'Pod id',
  readFrom: (restUrl: string): string => `Read from ${restUrl === '' ? 'the REST URL, which is missing' : restUrl}`,
  open: 'Open pod',
  sandbox: 'Pods of the sandbox',
};

/** A pod in the list. */
export const podLineText = {
  open: 'Open pod',
  perHour: (credits: number): string => `${formatPrice(credits)} / h`,
  pin: (name: string): string => `Pin ${name}`,
  unpin: (name: string): string => `Unpin ${name}`,
  more: (name: string): string => `More for ${name}`,
  openItem: 'Open',
  forget: 'Forget',
  forgetNote: 'here only',
};
