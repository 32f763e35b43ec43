import { maxCopiedChars } from '../../src-preload/bounds.ts';
import type { Handlers } from '../../src-preload/contract.ts';
import { failed, ok, type Result } from '../../src-preload/failure.ts';
import { desktopCallText } from '../messages/desktop/calls.ts';

/** The sender of calls that main makes itself. */
const from = { windowId: -1 };

/**
 * Copies a job's whole output to the clipboard, without passing it through a window. An empty one is not copied: what
 * the clipboard has stays there. Errors: those of `job:wholeOutput`, and `refused` for an output that is too large.
 */
export async function copyOutput(
  handlers: Pick<Handlers, 'job:wholeOutput'>,
  clipboard: { writeText(text: string): Promise<void> },
  key: string,
  attempt: number | null,
): Promise<Result<{ isEmpty: boolean }>> {
  const output = await handlers['job:wholeOutput']({ key, attempt }, from);
  if (!output.ok) return output;
  const { text } = output.value;
  if (text.length > maxCopiedChars)
    return failed({ kind: 'refused', message: desktopCallText.tooLargeToCopy(text.length, maxCopiedChars) });
  if (text !== '') await clipboard.writeText(text);
  return ok({ isEmpty: text === '' });
}
