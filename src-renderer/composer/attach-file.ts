import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { payloadLimitBytes } from '../../src-preload/job-bounds.ts';
import { checkJson } from '../../src-preload/json-check.ts';
import { attachText } from '../messages/composer/input.ts';
import { useComposer } from './composer-store.ts';
import { reportBesideDraft } from './use-submit.ts';

/** A file's content, to be added to an input. */
interface Attachment {
  /** The media type of the file. */
  type: string;
  base64: string;
}

/** The input with the file's content added, as `attachToDraft` does. */
export async function attachFile(inputText: string, file: File): Promise<Result<string>> {
  const read = await readAttachment(inputText, file);
  return read.ok ? withAttachment(inputText, read.value) : read;
}

/**
 * Adds the file's content as base64 to the input in the sheet. What is typed while the file is read stays. If the sheet
 * has another draft by then, that one is left alone, and the user is notified.
 */
export async function attachToDraft(file: File): Promise<void> {
  const { draft, slot } = useComposer.getState();
  if (draft === null) return;
  const read = await readAttachment(draft.inputText, file);
  const { draft: now, slot: slotNow, change, setRefusal } = useComposer.getState();
  if (now === null || slotNow !== slot) return reportBesideDraft(attachText.otherDraft(file.name));
  const attached = read.ok ? withAttachment(now.inputText, read.value) : read;
  if (attached.ok) change({ inputText: attached.value });
  else setRefusal({ message: attached.failure.message, field: 'input' });
}

async function readAttachment(inputText: string, file: File): Promise<Result<Attachment>> {
  if (file.size * 1.34 >= payloadLimitBytes.runsync) return refused(attachText.tooLarge(file.name, file.size));
  if (keysOf(inputText) === null) return refused(attachText.fixFirst);
  const base64 = await toBase64(file);
  return base64 === null ? refused(attachText.couldNotRead(file.name)) : ok({ type: file.type, base64 });
}

function refused(message: string): Result<never> {
  return failed({ kind: 'refused', field: 'input', message });
}

/**
 * The input with the content added under `<kind>_base64` (audio, image, file), as the last key. The rest of the text is
 * unchanged.
 */
function withAttachment(inputText: string, { type, base64 }: Attachment): Result<string> {
  const keys = keysOf(inputText);
  if (keys === null) return refused(attachText.fixFirst);
  const kind = /^(audio|image|video)\//.exec(type)?.[1] ?? 'file';
  let name = `${kind}_base64`;
  for (let count = 2; keys.has(name); count += 1) name = `${kind}_base64_${count}`;
  const end = inputText.lastIndexOf('}');
  const before = inputText.slice(0, end).trimEnd();
  const separator = keys.size === 0 ? '' : ',';
  return ok(`${before}${separator}\n  ${JSON.stringify(name)}: "${base64}"\n}${inputText.slice(end + 1)}`);
}

/** The keys of the input. Null if it is no object. */
function keysOf(inputText: string): Set<string> | null {
  const checked = checkJson(inputText);
  if (!checked.ok || typeof checked.value !== 'object' || checked.value === null || Array.isArray(checked.value))
    return null;
  return new Set(Object.keys(checked.value));
}

/** Null if it cannot be read, because it was moved or changed. */
function toBase64(file: File): Promise<string | null> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => resolve(null));
    reader.readAsDataURL(file);
  });
}
