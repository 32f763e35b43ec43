import { guard } from './guard.ts';
import { records } from './records.ts';
import type { DialogRecord } from './records.ts';

/** The first of the two forms that Electron accepts: (window, options) or (options). */
function optionsOf(args: unknown[]): Record<string, unknown> {
  const options = args.at(-1);
  return typeof options === 'object' && options !== null ? { ...options } : {};
}

/** Resolves with the answer that the test queued, else with a cancellation. */
function ask(kind: DialogRecord['kind'], options: Record<string, unknown>, cancelled: unknown): unknown {
  const answer = records.dialogAnswers.length > 0 ? records.dialogAnswers.shift() : cancelled;
  records.dialogs.push({ kind, options, answer });
  return answer;
}

/** A dialog whose queued answer is 'stays open' gets its answer later. */
function whenAnswered(answer: unknown): unknown {
  return answer === 'stays open' ? new Promise((resolve) => void records.openDialogs.push(resolve)) : answer;
}

function cancelledMessage(options: Record<string, unknown>): { response: number; checkboxChecked: boolean } {
  const buttons = Array.isArray(options['buttons']) ? options['buttons'] : [];
  const named = buttons.findIndex((label) => typeof label === 'string' && /^(cancel|no)$/i.test(label));
  const cancelId = typeof options['cancelId'] === 'number' ? options['cancelId'] : Math.max(named, 0);
  return { response: cancelId, checkboxChecked: false };
}

/** Dialogs get the answers that the test queued (`records.dialogAnswers`). */
export const dialog = guard('dialog', {
  async showMessageBox(...args: unknown[]): Promise<unknown> {
    const { signal, ...options } = optionsOf(args);
    const answer = ask('message', options, cancelledMessage(options));
    if (answer !== 'nobody answers') return whenAnswered(answer);
    if (!(signal instanceof AbortSignal)) throw new Error('Nobody answers this question, and it has no signal.');
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    const withdrawn = cancelledMessage(options);
    const record = records.dialogs.find((each) => each.options === options);
    if (record !== undefined) record.answer = withdrawn;
    return withdrawn;
  },
  showErrorBox(title: string, content: string): void {
    records.dialogs.push({ kind: 'error', options: { title, content }, answer: null });
    console.error(`${title}\n${content}`);
  },
  async showSaveDialog(...args: unknown[]): Promise<unknown> {
    return whenAnswered(ask('save', optionsOf(args), { canceled: true, filePath: '' }));
  },
  async showOpenDialog(...args: unknown[]): Promise<unknown> {
    return whenAnswered(ask('open', optionsOf(args), { canceled: true, filePaths: [] }));
  },
});
