import { formatCount } from '../../../src-preload/format.ts';
import { titleBarText } from '../windows/main-window.ts';

/** The list of commands and jobs that Ctrl K opens. */
export const paletteText = {
  name: 'Command palette',
  query: titleBarText.search,
  placeholder: 'Search jobs, or type a command',
  placeholderOfJob: 'What to do with this job',
  onJob: (id: string | undefined): string => `on ${id ?? 'this job'}`,
  leaveJob: 'Search without this job',
  results: 'Results',
  couldNotSearch: (problem: string): string => `Could not search the jobs. ${problem}`,
  noResults: (query: string): string => `No results for “${query}”`,
  recent: 'Recent',
  selectedJobs: 'Selected jobs',
  thisJob: 'This job',
  thisList: 'This list',
  jobs: 'Jobs',
  jobsInMain: 'Jobs, in the main window',
  goToAndRun: 'Go to and run',
  savedHereOnly: 'saved here only',
  showAll: (total: number, isCut: boolean): string => `Show all ${formatCount(total)}${isCut ? '+' : ''} in the list`,
  searchAllConnections: 'Search all connections',
  compareWithOpen: 'Compare with the open job',
  move: 'move',
  run: 'run',
  allCommands: 'all commands',
  narrowToJob: 'narrow to this job',
  close: 'close',
};

/** The commands for the draft in the composer, under one heading. */
export const draftCommandText = {
  heading: 'This draft',
  submitAndStay: { label: 'Submit and keep the composer open', keywords: ['send', 'run'] },
  sendTo: (endpoint: string) => ({ label: `Send to ${endpoint}`, keywords: ['endpoint', 'destination'] }),
  format: { label: 'Format the input', keywords: ['json', 'indent', 'pretty'] },
  one: { label: 'Write one input', keywords: ['single'] },
  many: { label: 'Write many inputs', keywords: ['batch', 'rows', 'csv'] },
  presets: { label: 'Start from a preset', keywords: ['load', 'template'] },
  history: { label: 'Start from an earlier input', keywords: ['history', 'again'] },
  savePreset: { label: 'Save as preset', keywords: ['keep', 'template'] },
  close: { label: 'Close the composer', hint: 'the draft is kept', keywords: ['leave', 'cancel'] },
  submitKeywords: ['send', 'run', 'start'],
};

/** The commands for a batch. `keywords` are not shown: a command is found by them, too. */
export const batchCommandText = {
  resubmitFailed: (batch: string) => ({
    label: `Resubmit failed rows of batch ${batch}`,
    keywords: ['retry', 'again'],
  }),
  compare: (batch: string) => ({ label: `Compare batch ${batch} with another` }),
  rename: (batch: string) => ({ label: `Rename batch ${batch}` }),
  resume: (batch: string) => ({ label: `Resume batch ${batch}`, keywords: ['start', 'continue'] }),
  pause: (batch: string) => ({ label: `Pause batch ${batch}`, keywords: ['stop', 'hold'] }),
  discardUnsent: (batch: string) => ({
    label: `Discard unsent rows of batch ${batch}`,
    hint: 'can be undone for a moment',
    keywords: ['cancel', 'stop', 'remove'],
  }),
};

/** The command that shows or hides a column of the list. */
export function columnCommandText(column: string, isShown: boolean) {
  return {
    label: isShown ? `Hide column ${column}` : `Show column ${column}`,
    hint: 'of the list',
    keywords: ['columns', 'table'],
  };
}

/** The commands for the saved view that the list shows. */
export const viewCommandText = {
  rename: (view: string) => ({ label: `Rename view ${view}` }),
  delete: (view: string) => ({
    label: `Delete view ${view}`,
    hint: 'its jobs stay',
    keywords: ['remove', 'forget'],
  }),
};

/** The commands for the job in the pane. */
export const openJobCommandText = {
  saveOutput: { label: 'Save output', hint: 'as a file', keywords: ['result', 'download'] },
  openInEditor: { label: 'Open output in your editor', hint: 'a read-only copy', keywords: ['result', 'external'] },
  extend: { label: 'Extend lifetime', hint: 'the ttl restarts' },
  openWorker: { label: 'Open worker', keywords: ['pod', 'machine'] },
  noWorker: 'The service named no worker',
  openLog: { label: 'Open log', hint: 'in the browser', keywords: ['worker', 'stdout'] },
  openConsole: { label: 'Open endpoint in the console', hint: 'in the browser', keywords: ['dashboard', 'website'] },
};

/** The command for a preset. */
export const presetCommandText = {
  newJob: (preset: string) => ({
    label: `New job from preset ${preset}`,
    keywords: ['submit', 'template', 'saved'],
  }),
};

/** The commands for the selected jobs. */
export const pickedCommandText = {
  compareNone: { label: 'Compare the selected jobs', hint: 'two to four, side by side' },
  selectFirst: 'Select two to four jobs first',
  ofSelected: (count: number): string => `of ${formatCount(count)} selected`,
};
