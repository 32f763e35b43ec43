import { failed, ok, type Result } from '../../src-preload/failure.ts';
import type { JobText } from '../../src-preload/history.ts';
import { fromHistory, foundInHistory, type History } from '../history/history.ts';
import { historyText } from '../messages/history.ts';

/**
 * A job's whole output: as the service sent it, the text of a string or, if chunks are saved, that of the chunks. Empty
 * if there is none. `attempt` null: the newest. Errors: `absent` without such a job, `storage`.
 */
export async function wholeOutput(
  history: Pick<History, 'get' | 'body' | 'streamPage'>,
  key: string,
  attempt: number | null,
): Promise<Result<JobText>> {
  const stored = await foundInHistory(history.get(key), historyText.noJob);
  if (!stored.ok) return stored;
  const { job, attempts } = stored.value;
  const wanted = attempt ?? job.attempt;
  const facts = attempts.find(({ number }) => number === wanted);
  const chunkCount = wanted === job.attempt ? job.chunkCount : (facts?.chunkCount ?? 0);
  if (chunkCount > 0) return streamedText(history, key, wanted);
  const body = await fromHistory(history.body(key, 'output', wanted, null));
  if (!body.ok) return body;
  const json = body.value?.text ?? '';
  const text = unquoted(json);
  return ok({ text, isJson: json !== '' && text === json });
}

/** Page by page, so that the history's thread does other work in between. */
async function streamedText(
  history: Pick<History, 'streamPage'>,
  key: string,
  attempt: number,
): Promise<Result<JobText>> {
  const parts: string[] = [];
  for (let fromSeq = 0; ;) {
    const read = await fromHistory(history.streamPage(key, attempt, fromSeq, { withMedia: true, run: null }));
    if (!read.ok) return read;
    if (read.value === null) return failed({ kind: 'absent', message: historyText.noJob });
    const { digest, isLast, nextSeq } = read.value;
    parts.push(digest.text);
    if (isLast) return ok({ text: parts.join(''), isJson: false });
    fromSeq = nextSeq;
  }
}

/** The text of an output that is a string, otherwise the JSON. */
function unquoted(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
