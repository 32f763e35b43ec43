import { parseJson, isJsonObject } from '../../../src-preload/json-spans.ts';
import { formatBytes } from '../../../src-preload/format.ts';
import { payloadLimitBytes } from '../../../src-preload/job-bounds.ts';
import { commonText } from '../../messages/common.ts';
import { attachText, discardedText } from '../../messages/composer/input.ts';
import { dropText, fileSizeText, skippedText } from '../../messages/composer/drop.ts';
import { attachFile } from '../attach-file.ts';
import { useBulk } from '../bulk/bulk-store.ts';
import { isUntouched } from '../composer-draft.ts';
import { undoDraft } from '../replace-input.ts';
import { useComposerNotice, type ComposerNotice } from '../composer-notice.ts';
import { useComposer } from '../composer-store.ts';
import type { CursorTaker } from '../json-editor.tsx';
import { cursorPlace } from '../learned/cursor-place.ts';
import { reportBesideDraft } from '../use-submit.ts';
import type { DroppedFiles } from './dropped-files.ts';
import { kindOfText, plainTextOf, promisesInputs, sizeProblem } from './file-text.ts';
import { firstNames, maxBytes } from './read-input-files.ts';

const show = (notice: ComposerNotice): void => useComposerNotice.getState().show(notice);
const undo = (onSelect: () => void): ComposerNotice['actions'] => [{ label: commonText.undo, onSelect }];

/**
 * Handles a drop on the input: a file of inputs becomes the input or many inputs, any other file is inserted at the
 * cursor, and several files or a folder become one job per file.
 */
export async function takeDrop(dropped: DroppedFiles, editor: CursorTaker | null): Promise<void> {
  const { files, folderName, unreadable } = dropped;
  const [file] = files;
  if (file === undefined) {
    if (unreadable.length > 0) showUnreadable(firstNames(unreadable));
    else show({ title: dropText.nothingAdded, detail: dropText.emptyFolder, actions: [] });
    return;
  }
  if (files.length > 1 || folderName !== null || unreadable.length > 0) {
    await takeMany(dropped);
    return;
  }
  try {
    await takeOne(file, editor);
  } catch {
    showUnreadable(file.name);
  }
}

function showUnreadable(names: string): void {
  show({ title: dropText.couldNotRead(names), detail: dropText.inputUnchanged, actions: [] });
}

function refuse(detail: string): void {
  show({ title: dropText.fileNotAdded, detail, actions: [] });
}

async function takeOne(file: File, editor: CursorTaker | null): Promise<void> {
  const { draft, slot, change } = useComposer.getState();
  if (draft === null) return;
  if (promisesInputs(file.name)) {
    if (file.size > maxBytes) {
      refuse(dropText.tooLarge(file.name, file.size, maxBytes));
      return;
    }
    const text = plainTextOf(new Uint8Array(await file.arrayBuffer()));
    if (isLeft(slot)) return reportBesideDraft(attachText.otherDraft(file.name));
    if (text === null) {
      refuse(skippedText.text(file.name));
      return;
    }
    const kind = kindOfText(file.name, text);
    if (kind === 'input' && file.size >= payloadLimitBytes.runsync) {
      refuse(fileSizeText.inputTooLarge(file.name, file.size));
      return;
    }
    if (kind === 'input') {
      const former = useComposer.getState().draft?.inputText ?? '';
      change({ inputText: text });
      show({
        title: dropText.isInput(file.name),
        detail: formatBytes(file.size),
        actions: undoDraft({ inputText: former }),
      });
      return;
    }
    if (kind === 'inputs') {
      showMany(text, file.name, null, dropText.isInputs(file.name, file.size));
      return;
    }
  }
  const problem = sizeProblem(file, draft.inputText.length, draft.operation);
  if (problem !== null && !problem.isHint) {
    refuse(problem.message);
    return;
  }
  await putAtCursor(file, editor, problem?.message);
}

/** Whether the sheet has another draft, or none, since a file was dropped. */
function isLeft(slot: string): boolean {
  const { draft, slot: slotNow } = useComposer.getState();
  return draft === null || slotNow !== slot;
}

async function putAtCursor(file: File, editor: CursorTaker | null, hint: string | undefined): Promise<void> {
  const { slot } = useComposer.getState();
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (isLeft(slot)) return reportBesideDraft(attachText.otherDraft(file.name));
  // With what was typed while the file was read.
  const former = useComposer.getState().draft?.inputText ?? '';
  const text = plainTextOf(bytes);
  const content = text ?? base64Of(bytes);
  editor?.replaceSelection?.((_, before) => {
    const quoted = JSON.stringify(content);
    const isInString = cursorPlace(before, before.length)?.isQuoted ?? false;
    return isInString ? quoted.slice(1, -1) : quoted;
  });
  show({
    title: text === null ? dropText.addedAsBase64(file.name) : dropText.addedAsText(file.name),
    detail: [dropText.sizeInInput(file.size, content.length), hint ?? ''].join(' '),
    actions: undoDraft({ inputText: former }),
  });
}

function base64Of(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 30_000) binary += String.fromCharCode(...bytes.subarray(at, at + 30_000));
  return btoa(binary);
}

/** Makes one job per file: a JSON object is its input; any other file is attached to the present input. */
async function takeMany({ files, folderName, unreadable, isCut }: DroppedFiles): Promise<void> {
  const { draft } = useComposer.getState();
  if (draft === null) return;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > maxBytes) {
    show({
      title: dropText.filesNotAdded,
      detail: dropText.tooLargeTogether(total, maxBytes),
      actions: [],
    });
    return;
  }
  const around = isUntouched(draft) || !isJsonObject(parseJson(draft.inputText)) ? '{}' : draft.inputText;
  const inputs: string[] = [];
  const skipped: string[] = [...unreadable];
  for (const file of files) {
    const input = await inputOf(file, around);
    if (input === null) skipped.push(file.name);
    else inputs.push(input);
  }
  const notes = [
    ...(skipped.length === 0 ? [] : [dropText.filesSkipped(firstNames(skipped))]),
    ...(isCut ? [dropText.beyondFirst] : []),
  ];
  showMany(
    inputs.join('\n'),
    folderName ?? dropText.files(files.length),
    'json',
    [dropText.jobPerFile(inputs.length, total), ...notes].join(' '),
  );
}

/** Null if it is no input, or cannot be read. */
async function inputOf(file: File, around: string): Promise<string | null> {
  try {
    if (/\.json$/i.test(file.name)) {
      const text = plainTextOf(new Uint8Array(await file.arrayBuffer()));
      return text !== null && isJsonObject(parseJson(text)) ? text.trim() : null;
    }
    const attached = await attachFile(around, file);
    return attached.ok ? attached.value : null;
  } catch {
    return null;
  }
}

/** Shows a text as many inputs. The former text can be restored. */
function showMany(text: string, name: string, wanted: 'json' | null, title: string): void {
  const { text: formerText, fileName, wanted: formerWanted, setText, change } = useBulk.getState();
  useComposer.getState().setInputCount('many');
  setText(text, name);
  change({ wanted });
  show({
    title,
    actions: undo(() => {
      if (useBulk.getState().text !== text) return show({ title: discardedText.editedSince, actions: [] });
      useBulk.getState().setText(formerText, fileName);
      useBulk.getState().change({ wanted: formerWanted });
      useComposer.getState().setInputCount('one');
      useBulk.getState().saveSoon();
    }),
  });
}
