import { connectionMenuText, paneTitles, sidebarViewText } from '../windows/main-window.ts';

/** The commands that open a place of the window. `keywords` are not shown: a command is found by them, too. */
export const goCommandText = {
  savedViewHint: 'saved view',
  saveView: { label: sidebarViewText.save },
  template: (name: string) => ({ label: `Template ${name}` }),
  switchTo: (connection: string) => ({ label: `Switch to ${connection}` }),
  builtInSandbox: 'built-in sandbox',
  health: { label: paneTitles.health, hint: 'queues, workers and what is wrong' },
  failures: { label: 'Failures by cause', hint: 'trend, what they have in common, retry all' },
  bin: { label: paneTitles.bin, hint: 'restore them', keywords: ['bin', 'trash', 'undelete', 'recover', 'deleted'] },
  pods: { label: paneTitles.pods },
  templates: { label: paneTitles.templates },
  openPod: (pod: string) => ({ label: `Open pod ${pod}` }),
  openPodById: { label: 'Open pod by id' },
  sandbox: { label: connectionMenuText.showSandbox, hint: 'its requests, speed and faults' },
  jobsOf: (endpoint: string) => ({ label: `Jobs of ${endpoint}` }),
  healthOf: (endpoint: string) => ({
    label: `Health of ${endpoint}`,
    keywords: ['queue', 'workers', 'diagnosis', 'charts'],
  }),
  batch: (name: string) => ({ label: `Batch ${name}` }),
  purgeQueueOf: (endpoint: string) => ({
    label: `Purge queue of ${endpoint}`,
    hint: 'asks before sending',
    keywords: ['empty', 'clear', 'remove', 'waiting'],
  }),
  waiting: { label: 'Jobs waiting to be sent' },
  outcomeUnknown: { label: 'Jobs with an unknown outcome' },
  orphaned: { label: 'Jobs orphaned by removed connections' },
};
