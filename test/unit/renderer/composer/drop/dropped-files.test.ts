import { expect, test } from 'vitest';
import { droppedFiles } from '../../../../../src-renderer/composer/drop/dropped-files.ts';

interface FakeEntry {
  name: string;
  fullPath: string;
  isFile: boolean;
  isDirectory: boolean;
}

function fileEntry(fullPath: string, isLocked = false): FakeEntry & Pick<FileSystemFileEntry, 'file'> {
  const name = fullPath.split('/').at(-1) ?? '';
  return {
    name,
    fullPath,
    isFile: true,
    isDirectory: false,
    file: (done, fail) =>
      isLocked ? fail?.(new DOMException('locked', 'NotReadableError')) : done(new File(['x'], name)),
  };
}

function folderEntry(fullPath: string, children: FakeEntry[] | null) {
  return {
    name: fullPath.split('/').at(-1) ?? '',
    fullPath,
    isFile: false,
    isDirectory: true,
    createReader() {
      let at = 0;
      return {
        readEntries(done: (entries: FakeEntry[]) => void, fail: (error: DOMException) => void) {
          if (children === null) return fail(new DOMException('locked', 'NotReadableError'));
          at += 100;
          done(children.slice(at - 100, at));
        },
      };
    },
  };
}

/** A drag of these entries, as far as it is read. */
const dragOf = (entries: unknown[]): DataTransfer =>
  Object.assign(Object.create(null), { items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })), files: [] });

test('folders are read completely, ordered by name, and unreadable entries are named', async () => {
  const folder = folderEntry('/inputs', [
    fileEntry('/inputs/b.json'),
    fileEntry('/inputs/.hidden.json'),
    folderEntry('/inputs/a', [fileEntry('/inputs/a/10.csv'), fileEntry('/inputs/a/9.csv')]),
    folderEntry('/inputs/locked', null),
    fileEntry('/inputs/c.json', true),
  ]);
  const { files, ...rest } = await droppedFiles(dragOf([folder, fileEntry('/a.json')]));
  expect(files.map(({ name }) => name)).toEqual(['a.json', '9.csv', '10.csv', 'b.json']);
  expect(rest).toEqual({ folderName: 'inputs', unreadable: ['c.json', 'locked'], isCut: false });
});

test('a folder with more files than can be used says that it was cut, and one with exactly as many does not', async () => {
  const filesOf = (count: number) => Array.from({ length: count }, (_, at) => fileEntry(`/inputs/${at}.json`));
  const exact = await droppedFiles(dragOf([folderEntry('/inputs', filesOf(20_000))]));
  expect([exact.files.length, exact.isCut]).toEqual([20_000, false]);
  const more = await droppedFiles(dragOf([folderEntry('/inputs', filesOf(20_050))]));
  expect([more.files.length, more.isCut]).toEqual([20_000, true]);
});
