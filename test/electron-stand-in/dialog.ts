import { BaseWindow } from './base-window.ts';
import { BrowserWindow } from './browser-window.ts';
import { conversionFailure, guard } from './guard.ts';
import { isReady } from './readiness.ts';
import { records } from './records.ts';
import type { DialogRecord } from './records.ts';

/*
 * As Electron’s lib/browser/api/dialog: it checks before there is a promise, so what is wrong is thrown and rejects nothing.
 * What only the native part reads, and cannot, is as if it were not there (file_dialog_converter.cc).
 */
type Options = Record<string, unknown>;

/** The first of the two forms that Electron accepts: (window, options) or (options). */
function optionsOf([first, second]: unknown[], otherwise: Options): Options {
  if (!isReady()) throw new Error('dialog module can only be used after app is ready');
  const isWindow = first instanceof BrowserWindow || first instanceof BaseWindow;
  const given = first !== null && first !== undefined && !isWindow ? first : second;
  if (given === null || given === undefined) return otherwise;
  if (typeof given !== 'object') throw conversionFailure(0, given);
  return { ...given };
}

function requireTexts(options: Options, names: Record<string, string>): void {
  for (const [name, title] of Object.entries(names))
    if (options[name] !== undefined && typeof options[name] !== 'string')
      throw new TypeError(`${title} must be a string`);
}

/** File types that Electron cannot read are left out, all of them. */
function withReadFilters(options: Options): Options {
  const { filters } = options;
  const isRead =
    filters === undefined ||
    (Array.isArray(filters) &&
      filters.every(
        (each: Options) =>
          typeof each['name'] === 'string' &&
          Array.isArray(each['extensions']) &&
          each['extensions'].every((one) => typeof one === 'string'),
      ));
  return isRead ? options : { ...options, filters: [] };
}

/** Resolves with the answer that the test queued, else with a cancellation. */
function ask(kind: DialogRecord['kind'], options: Options, cancelled: unknown): unknown {
  const answer = records.dialogAnswers.length > 0 ? records.dialogAnswers.shift() : cancelled;
  records.dialogs.push({ kind, options, answer });
  return answer;
}

/** A dialog whose queued answer is 'stays open' gets its answer later. */
async function whenAnswered(answer: unknown): Promise<unknown> {
  return answer === 'stays open' ? new Promise((resolve) => void records.openDialogs.push(resolve)) : answer;
}

const messageTypes = ['none', 'info', 'warning', 'error', 'question'];

function checkMessage(options: Options): void {
  const { type = 'none', buttons = [], noLink = false, checkboxChecked, checkboxLabel = '' } = options;
  if (typeof type !== 'string' || !messageTypes.includes(type)) throw new TypeError('Invalid message box type');
  if (!Array.isArray(buttons)) throw new TypeError('Buttons must be an array');
  requireTexts(options, { title: 'Title' });
  if (typeof noLink !== 'boolean') throw new TypeError('noLink must be a boolean');
  requireTexts(options, { message: 'Message', detail: 'Detail', checkboxLabel: 'checkboxLabel' });
  if (Boolean(checkboxChecked) && checkboxLabel === '')
    throw new Error('checkboxChecked requires that checkboxLabel also be passed');
}

/** The button that stands for a dialog that is closed without one. */
function cancelIdOf({ buttons = [], cancelId, defaultId = -1 }: Options): number {
  if (typeof cancelId === 'number') return cancelId;
  const labels: unknown[] = Array.isArray(buttons) ? buttons : [];
  const named = labels.findIndex((label) => {
    if (typeof label !== 'string') throw new TypeError('button.toLowerCase is not a function');
    return ['cancel', 'no'].includes(label.toLowerCase());
  });
  if (named >= 0) return named;
  return defaultId === 0 && labels.length > 1 ? 1 : 0;
}

async function answerMessage(options: Options, cancelId: number, signal: unknown): Promise<unknown> {
  const checkboxChecked = options['checkboxChecked'] === true;
  // Without a `response`, as in Electron.
  if (signal instanceof AbortSignal && signal.aborted) return { cancelId, checkboxChecked };
  const answer = ask('message', options, { response: cancelId, checkboxChecked });
  if (answer !== 'nobody answers') return whenAnswered(answer);
  if (!(signal instanceof AbortSignal)) throw new Error('Nobody answers this question, and it has no signal.');
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  const withdrawn = { response: cancelId, checkboxChecked };
  const record = records.dialogs.find((each) => each.options === options);
  if (record !== undefined) record.answer = withdrawn;
  return withdrawn;
}

const fileTexts = { title: 'Title', buttonLabel: 'Button label', defaultPath: 'Default path', message: 'Message' };

/** Dialogs get the answers that the test queued (`records.dialogAnswers`). */
export const dialog = guard('dialog', {
  showMessageBox(...args: unknown[]): Promise<unknown> {
    const { signal, ...options } = optionsOf(args, { type: 'none', message: '' });
    checkMessage(options);
    return answerMessage(options, cancelIdOf(options), signal);
  },
  showErrorBox(title: string, content: string): void {
    if (typeof title !== 'string') throw conversionFailure(0, title);
    if (typeof content !== 'string') throw conversionFailure(1, content);
    records.dialogs.push({ kind: 'error', options: { title, content }, answer: null });
    console.error(`${title}\n${content}`);
  },
  showSaveDialog(...args: unknown[]): Promise<unknown> {
    const options = optionsOf(args, { title: 'Save' });
    requireTexts(options, { ...fileTexts, nameFieldLabel: 'Name field label' });
    return whenAnswered(ask('save', withReadFilters(options), { canceled: true, filePath: '' }));
  },
  showOpenDialog(...args: unknown[]): Promise<unknown> {
    const options = optionsOf(args, { title: 'Open', properties: ['openFile'] });
    if (options['properties'] !== undefined && !Array.isArray(options['properties']))
      throw new TypeError('Properties must be an array');
    requireTexts(options, fileTexts);
    return whenAnswered(ask('open', withReadFilters(options), { canceled: true, filePaths: [] }));
  },
});
