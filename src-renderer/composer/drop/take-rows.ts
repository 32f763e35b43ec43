import { commonText } from '../../messages/common.ts';
import { addedRowsText, dropText } from '../../messages/composer/drop.ts';
import { composerText } from '../../messages/composer/sheet.ts';
import { parseInSlices, useBulk } from '../bulk/bulk-store.ts';
import { parseInputs } from '../bulk/read-inputs.ts';
import { useComposerNotice } from '../composer-notice.ts';
import type { DroppedFiles } from './dropped-files.ts';
import { joinInputs } from './join-inputs.ts';
import { skippedDetail, readInputFiles, type InputFile } from './read-input-files.ts';

/**
 * Handles a drop on the field for many inputs: the inputs of every file are appended to it. What could not be read is
 * named, and the notice can undo the drop.
 */
export async function takeRows(dropped: DroppedFiles): Promise<void> {
  const { read, skipped } = await readInputFiles(dropped);
  if (read.length === 0) {
    showUnchanged(dropped.files.length + skipped.length === 0 ? dropText.emptyFolder : skippedDetail(skipped));
    return;
  }
  const { before, joined } = await joinWithPresent(read);
  if (typeof joined === 'string') {
    showUnchanged(joined);
    return;
  }
  const allSkipped = [...skipped, ...joined.skipped];
  if (joined.taken.length === 0) {
    showUnchanged(skippedDetail(allSkipped));
    return;
  }
  const { taken } = joined;
  const name = taken.length === 1 ? `${taken[0]}` : dropText.files(taken.length);
  put(joined.text, before.text.trim() === '' ? (dropped.folderName ?? name) : before.fileName, joined.wanted);
  useComposerNotice.getState().show({
    title: addedRowsText.added(name),
    detail: [
      addedRowsText.size(read.reduce((sum, { text }) => sum + text.length, 0)),
      joined.isConverted ? addedRowsText.converted : '',
      skippedDetail(allSkipped),
      dropped.isCut ? dropText.beyondFirst : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    actions: [{ label: commonText.undo, onSelect: () => undo(joined.text, before) }],
  });
}

/** Restores the field as it was before a drop, unless something was typed since, which would be lost. */
function undo(joinedText: string, before: ReturnType<typeof useBulk.getState>): void {
  if (useBulk.getState().text === joinedText) put(before.text, before.fileName, before.wanted);
  else showUnchanged(addedRowsText.editedSince);
}

/** Joins the files with the text of the field. It is joined again if something was typed meanwhile. */
async function joinWithPresent(files: readonly InputFile[]): Promise<{
  before: ReturnType<typeof useBulk.getState>;
  joined: Awaited<ReturnType<typeof joinInputs>>;
}> {
  for (;;) {
    const before = useBulk.getState();
    const { isTextCells } = before;
    const joined = await joinInputs(
      before,
      files,
      async (text, wanted) =>
        (await parseInSlices(parseInputs(text, { wanted, isTextCells }), new AbortController().signal)) ?? {
          good: [],
          bad: [],
        },
    );
    const now = useBulk.getState();
    if (now.text === before.text && now.wanted === before.wanted) return { before, joined };
  }
}

function put(text: string, fileName: string | null, wanted: ReturnType<typeof useBulk.getState>['wanted']): void {
  useBulk.getState().setText(text, fileName);
  useBulk.getState().change({ wanted });
}

function showUnchanged(detail: string): void {
  useComposerNotice.getState().show({ title: composerText.rowsUnchanged, detail, actions: [] });
}
