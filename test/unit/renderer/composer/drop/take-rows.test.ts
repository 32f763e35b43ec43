import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ok } from '../../../../../src-preload/failure.ts';
import { useBulk } from '../../../../../src-renderer/composer/bulk/bulk-store.ts';
import { useComposerNotice } from '../../../../../src-renderer/composer/composer-notice.ts';
import { chosenFiles } from '../../../../../src-renderer/composer/drop/dropped-files.ts';
import { takeRows } from '../../../../../src-renderer/composer/drop/take-rows.ts';
import { answerCalls } from '../../../../kit/answering-bridge.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answerCalls({ 'draft:save': () => Promise.resolve(ok(null)) });
  useBulk.setState({ text: '', fileName: null, wanted: null });
  useComposerNotice.getState().show(null);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const drop = (files: File[], folderName: string | null = null, unreadable: string[] = []): Promise<void> =>
  takeRows({ ...chosenFiles(files), folderName, unreadable });

const undo = (): void => useComposerNotice.getState().notice?.actions.at(0)?.onSelect();

test('files become rows in the order of their names, and Undo restores the former text', async () => {
  useBulk.getState().setText('{"typed": 1}');
  await drop([new File(['{"n": 10}'], 'part10.json'), new File(['{"n": 9}'], 'part9.json')]);
  expect(useBulk.getState()).toMatchObject({ text: '{"typed": 1}\n{"n": 9}\n{"n": 10}\n', fileName: null });
  expect(useComposerNotice.getState().notice).toMatchObject({ title: 'Added 2 files.', detail: '17 B.' });
  undo();
  expect(useBulk.getState().text).toBe('{"typed": 1}');
});

test('Undo removes nothing that was typed after the files were added', async () => {
  await drop([new File(['{"n": 1}'], 'one.json')]);
  useBulk.getState().setText('{"n": 1}\n{"typed": 2}');
  undo();
  expect(useBulk.getState().text).toBe('{"n": 1}\n{"typed": 2}');
  expect(useComposerNotice.getState().notice?.detail).toContain('would be lost');
});

test('the batch of an empty field is named after its folder, its only file, or the number of files', async () => {
  await drop([new File(['a\n1'], 'rows.csv')]);
  expect(useBulk.getState()).toMatchObject({ text: 'a\n1', fileName: 'rows.csv' });
  undo();
  expect(useBulk.getState()).toMatchObject({ text: '', fileName: null });
  const two = [new File(['a\n1'], 'a.csv'), new File(['a\n2'], 'b.csv')];
  await drop(two, 'tables');
  expect(useBulk.getState()).toMatchObject({ text: 'a\n1\n2\n', fileName: 'tables' });
  undo();
  await drop(two);
  expect(useBulk.getState().fileName).toBe('2 files');
});

test('unreadable files are named, and the others are read', async () => {
  const moved = new File(['{"a": 1}'], 'moved.json');
  moved.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  const huge = new File(['{"a": 1}'], 'huge.json');
  Object.defineProperty(huge, 'size', { value: 300_000_000 });
  await drop(
    [
      new File(['x'], 'photo.png'),
      new File([new Uint8Array([0xe9, 0x0a])], 'latin.csv'),
      new File([' '], 'empty.txt'),
      moved,
      huge,
      new File(['\u{feff}{"a": 1}'], 'good.json'),
    ],
    null,
    ['locked'],
  );
  expect(useBulk.getState()).toMatchObject({ text: '{"a": 1}', fileName: 'good.json' });
  const { title, detail } = useComposerNotice.getState().notice ?? {};
  expect(title).toBe('Added good.json.');
  expect(detail).toContain('Left out photo.png: inputs are in');
  expect(detail).toContain('Left out huge.json: Jobdeck reads up to 200 MB at a time.');
  expect(detail).toContain('Could not read locked, moved.json.');
  expect(detail).toContain('Left out latin.csv: not UTF-8 text.');
  expect(detail).toContain('Left out empty.txt: no inputs found.');
});

test('nothing changes if nothing can be read or the existing text must be fixed first', async () => {
  useBulk.getState().setText('a,b\n1');
  await drop([new File(['x'], 'photo.png')]);
  expect(useComposerNotice.getState().notice).toMatchObject({
    title: 'The rows are unchanged.',
    detail: expect.stringContaining('photo.png'),
    actions: [],
  });
  await drop([new File(['{"a": 1}'], 'a.json')]);
  expect(useComposerNotice.getState().notice?.detail).toMatch(/^Fix or remove the invalid rows/);
  await drop([], 'empty folder');
  expect(useComposerNotice.getState().notice?.detail).toBe('The folder has no files.');
  expect(useBulk.getState().text).toBe('a,b\n1');
});

test('text typed while the files are read is kept', async () => {
  const slow = new File(['[{"a": 1}]'], 'slow.json');
  useBulk.getState().setText('[{"b": 1}]');
  const done = drop([slow]);
  useBulk.getState().setText('{"b": 2}');
  await done;
  expect(useBulk.getState().text).toBe('{"b": 2}\n{"a": 1}\n');
});
