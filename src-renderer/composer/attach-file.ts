import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { payloadLimitBytes } from '../../src-preload/job-bounds.ts';
import { checkJson } from '../../src-preload/json-check.ts';
import { attachText } from '../messages/composer/input.ts';

/**
 * The input with the file's content as base64 added under `<kind>_base64` (audio, image, file), as the last key. The
 * rest of the text is unchanged.
 */
export async function attachFile(inputText: string, file: File): Promise<Result<string>> {
  if (file.size * 1.34 >= payloadLimitBytes.runsync) {
    return failed({
      kind: 'refused',
      field: 'input',
      message: attachText.tooLarge(file.name, file.size),
    });
  }
  const checked = checkJson(inputText);
  if (!checked.ok || typeof checked.value !== 'object' || checked.value === null || Array.isArray(checked.value)) {
    return failed({ kind: 'refused', field: 'input', message: attachText.fixFirst });
  }
  const base64 = await toBase64(file);
  if (base64 === null) return failed({ kind: 'refused', field: 'input', message: attachText.couldNotRead(file.name) });
  const keys = new Set(Object.keys(checked.value));
  const kind = /^(audio|image|video)\//.exec(file.type)?.[1] ?? 'file';
  let name = `${kind}_base64`;
  for (let count = 2; keys.has(name); count += 1) name = `${kind}_base64_${count}`;
  const end = inputText.lastIndexOf('}');
  const before = inputText.slice(0, end).trimEnd();
  const separator = keys.size === 0 ? '' : ',';
  return ok(`${before}${separator}\n  ${JSON.stringify(name)}: "${base64}"\n}${inputText.slice(end + 1)}`);
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
