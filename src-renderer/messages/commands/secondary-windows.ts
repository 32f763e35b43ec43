import { sandboxText } from '../sandbox/pane.ts';
import { podWindowText } from '../windows/pod-window.tsx';
import { templateWindowText } from '../windows/template-window.ts';
import { goCommandText } from './go.ts';
import { shortcutText } from './shortcuts.ts';

/** The commands of the window of a pod. `keywords` are not shown: a command is found by them, too. */
export const podCommandText = {
  title: podWindowText.part,
  read: { label: shortcutText.pod.read, keywords: ['refresh', 'update', 'reload'] },
  pin: { label: 'Pin the pod', hint: 'it stays in the list of pods' },
  unpin: { label: 'Unpin the pod' },
  find: { label: shortcutText.pod.find, keywords: ['find', 'json'] },
  copyId: { label: 'Copy the id of the pod', keywords: ['clipboard'] },
};

/** The commands of the window of a template. */
export const templateCommandText = {
  title: templateWindowText.part,
  save: { label: shortcutText.template.save, keywords: ['send', 'update', 'release'] },
  nextChange: { label: 'Next change', keywords: ['field', 'edit'] },
  undo: { label: 'Undo the last edit' },
  redo: { label: 'Redo the last undone edit' },
  readFromPod: { label: templateWindowText.readFromPod, keywords: ['load', 'refresh'] },
  copyId: { label: 'Copy the id of the template', keywords: ['clipboard'] },
  noEdits: 'Nothing was edited',
  nothingToUndo: 'Nothing to undo',
  nothingToRedo: 'Nothing to redo',
};

/** The commands of the window of an endpoint's health, or that of all endpoints. */
export const healthCommandText = {
  title: 'This window',
  /** `phrase` is a time span in a sentence: "the last hour". */
  range: (phrase: string) => ({ label: `Show ${phrase}`, keywords: ['range', 'time', 'charts'] }),
  allEndpoints: { label: 'Show all endpoints' },
  endpoint: (name: string) => ({ label: `Show ${name}`, keywords: ['endpoint', 'switch'] }),
  copyId: { label: 'Copy the id of the endpoint', keywords: ['clipboard'] },
  purge: goCommandText.purgeQueueOf,
  shown: 'It is shown',
};

/** The commands of the window of the sandbox. */
export const sandboxCommandText = {
  title: healthCommandText.title,
  copyBaseUrl: { label: sandboxText.copyBaseUrl, keywords: ['address', 'clipboard'] },
  copyEnvironment: { label: sandboxText.copyEnvironment, hint: 'with the key', keywords: ['shell', 'clipboard'] },
  notRunning: 'The sandbox is not running',
};
