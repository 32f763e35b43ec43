import { maxCopiedChars } from '../../src-preload/bounds.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { wholeText, type WholeOutput } from '../engine/whole-output.ts';
import { desktopCallText } from '../messages/desktop/calls.ts';

/**
 * Copies a job's whole output to the clipboard, without passing it through a window. An empty one is not copied: what
 * the clipboard has stays there. Errors: those of `output`, `storage`, and `refused` for an output that is too large.
 */
export async function copyOutput(
  output: Result<WholeOutput>,
  clipboard: { writeText(text: string): Promise<void> },
): Promise<Result<{ isEmpty: boolean }>> {
  if (!output.ok) return output;
  if (output.value.isEmpty) return ok({ isEmpty: true });
  const text = await wholeText(output.value, maxCopiedChars);
  if (!text.ok) return text;
  if (text.value === null) return failed({ kind: 'refused', message: desktopCallText.tooLargeToCopy(maxCopiedChars) });
  await clipboard.writeText(text.value);
  return ok({ isEmpty: false });
}
