import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../../src-preload/failure.ts';
import { useBulk } from '../../../../../src-renderer/composer/bulk/bulk-store.ts';
import { emptyDraft } from '../../../../../src-renderer/composer/composer-draft.ts';
import { useComposerNotice } from '../../../../../src-renderer/composer/composer-notice.ts';
import { useComposer } from '../../../../../src-renderer/composer/composer-store.ts';
import { chosenFiles } from '../../../../../src-renderer/composer/drop/dropped-files.ts';
import { takeDrop } from '../../../../../src-renderer/composer/drop/take-drop.ts';
import { answerCalls } from '../../../../kit/answering-bridge.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerCalls({ 'draft:save': () => Promise.resolve(ok(null)) });
  useComposer.setState({ draft: { ...emptyDraft('c1', 'e1'), inputText: '{"typed": 1}' } });
  useBulk.setState({ text: '', fileName: null, wanted: null });
  useComposerNotice.getState().show(null);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const drop = (files: File[]): Promise<void> => takeDrop(chosenFiles(files), null);
const inputText = (): string | undefined => useComposer.getState().draft?.inputText;
/** "Grüße" in Latin-1: not UTF-8. Read as UTF-8, the jobs would get other prompts than the file has. */
const latin1 = Uint8Array.from('{"prompt": "Gr\u00fc\u00dfe"}', (char) => char.charCodeAt(0));

test('a file that is not UTF-8 becomes no input with other characters', async () => {
  await drop([new File([latin1], 'input.json')]);
  expect(inputText()).toBe('{"typed": 1}');
  expect(useComposerNotice.getState().notice?.detail).toContain('Left out input.json: not UTF-8 text.');
  await drop([new File(['prompt\n', latin1], 'rows.csv')]);
  expect(useBulk.getState().text).toBe('');
  expect(useComposerNotice.getState().notice?.detail).toContain('Left out rows.csv: not UTF-8 text.');
});

test('of several files, one that is not UTF-8 is left out, and the others become a job each', async () => {
  await drop([new File([latin1], 'a.json'), new File(['{"n": 1}'], 'b.json')]);
  expect(useBulk.getState().text).toBe('{"n": 1}');
  expect(useComposerNotice.getState().notice?.title).toContain('Left out: a.json.');
});

test('a file larger than any input is not read into the editor', async () => {
  const large = new File([`{"text": "${'x'.repeat(20_000_000)}"}`], 'large.json');
  await drop([large]);
  expect(inputText()).toBe('{"typed": 1}');
  expect(useComposerNotice.getState().notice?.detail).toContain('large.json is 20 MB. run accepts less than 10 MB');
});

test('a file beyond what Jobdeck reads at a time is not opened', async () => {
  const huge = new File(['{}'], 'huge.ndjson');
  Object.defineProperty(huge, 'size', { value: 5_000_000_000 });
  huge.arrayBuffer = () => Promise.reject(new Error('read'));
  await drop([huge]);
  expect(useComposerNotice.getState().notice?.detail).toContain('huge.ndjson is 5.0 GB. Jobdeck reads up to 200 MB');
});

/** A file that is read when the test says so. */
function slowFile(name: string, content: string): { file: File; read: () => void } {
  const file = new File([content], name);
  const bytes = Promise.withResolvers<ArrayBuffer>();
  file.arrayBuffer = () => bytes.promise;
  return { file, read: () => bytes.resolve(new TextEncoder().encode(content).buffer) };
}

test.each(['input.json', 'notes.md'])('%s that is read when another draft is open changes nothing', async (name) => {
  const { file, read } = slowFile(name, '{"dropped": 1}');
  useComposer.setState({ isOpen: true, slot: 'for e1' });
  const inserted: string[] = [];
  const editor = { focus: () => {}, replaceSelection: () => void inserted.push(name) };
  const dropped = takeDrop(chosenFiles([file]), editor);
  useComposer.setState({ slot: 'for e2', draft: { ...emptyDraft('c1', 'e2'), inputText: '{"other": 1}' } });
  read();
  await dropped;
  expect([inputText(), inserted]).toEqual(['{"other": 1}', []]);
  expect(useComposerNotice.getState().notice?.title).toBe(
    `${name} was not added, because the input it was for is no longer open.`,
  );
});

test('undoing a file at the cursor keeps what was typed while it was read', async () => {
  const { file, read } = slowFile('notes.md', 'text');
  const editor = {
    focus: () => {},
    replaceSelection: () => useComposer.getState().change({ inputText: '{"typed": 12, "text"}' }),
  };
  const dropped = takeDrop(chosenFiles([file]), editor);
  useComposer.getState().change({ inputText: '{"typed": 12}' });
  read();
  await dropped;
  expect(inputText()).toBe('{"typed": 12, "text"}');
  useComposerNotice.getState().notice?.actions[0]?.onSelect();
  expect(inputText()).toBe('{"typed": 12}');
});
