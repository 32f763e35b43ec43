import { ok, type Result } from '../../src-preload/failure.ts';
import { HistoryError, fromHistory, foundInHistory, type History } from '../history/history.ts';
import { historyText } from '../messages/history.ts';

/** A job's whole output, read part by part, because a stream may be longer than memory should hold. */
export interface WholeOutput {
  /** Whether it is JSON as the service sent it. */
  isJson: boolean;
  isEmpty: boolean;
  /** Whether it has more characters (UTF-16 units). Reads no further than that. */
  isLongerThan: (chars: number) => Promise<Result<boolean>>;
  /** Its text, in order, never divided within a character. Rejects with a HistoryError. */
  parts: () => AsyncGenerator<string>;
}

type OutputHistory = Pick<History, 'get' | 'body' | 'streamPage' | 'countStreamChars'>;

/**
 * A job's whole output: as the service sent it, the text of a string or, if chunks are saved, that of the chunks. Empty
 * if there is none. `attempt` null: the newest. Errors: `absent` without such a job, `storage`.
 */
export async function wholeOutput(
  history: OutputHistory,
  key: string,
  attempt: number | null,
): Promise<Result<WholeOutput>> {
  const stored = await foundInHistory(history.get(key), historyText.noJob);
  if (!stored.ok) return stored;
  const { job, attempts } = stored.value;
  const wanted = attempt ?? job.attempt;
  const facts = attempts.find(({ number }) => number === wanted);
  const chunkCount = wanted === job.attempt ? job.chunkCount : (facts?.chunkCount ?? 0);
  if (chunkCount > 0) return streamedOutput(history, key, wanted);
  const body = await fromHistory(history.body(key, 'output', wanted, null));
  if (!body.ok) return body;
  const json = body.value?.text ?? '';
  const text = unquoted(json);
  return ok({
    isJson: json !== '' && text === json,
    isEmpty: text === '',
    isLongerThan: async (chars) => ok(text.length > chars),
    async *parts() {
      yield text;
    },
  });
}

/** The text of an output. Null if it has more than `maxChars` characters: then it is read no further than that. */
export async function wholeText(
  output: Pick<WholeOutput, 'isLongerThan' | 'parts'>,
  maxChars: number,
): Promise<Result<string | null>> {
  const isTooLong = await output.isLongerThan(maxChars);
  if (!isTooLong.ok || isTooLong.value) return isTooLong.ok ? ok(null) : isTooLong;
  return fromHistory(joined(output.parts()));
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  const all: string[] = [];
  for await (const part of parts) all.push(part);
  return all.join('');
}

/** Page by page, so that the history's thread does other work in between. */
async function streamedOutput(
  history: Pick<History, 'streamPage' | 'countStreamChars'>,
  key: string,
  attempt: number,
): Promise<Result<WholeOutput>> {
  const isLongerThan = (chars: number): Promise<Result<boolean>> =>
    fromHistory(isStreamLonger(history, key, attempt, chars));
  const hasText = await isLongerThan(0);
  if (!hasText.ok) return hasText;
  return ok({
    isJson: false,
    isEmpty: !hasText.value,
    isLongerThan,
    parts: () => wholeCharacters(streamedTexts(history, key, attempt)),
  });
}

async function isStreamLonger(
  history: Pick<History, 'countStreamChars'>,
  key: string,
  attempt: number,
  maxChars: number,
): Promise<boolean> {
  let chars = 0;
  for (let fromSeq = 0; ;) {
    const page = await history.countStreamChars(key, attempt, fromSeq);
    if (page === null) throw noJob();
    chars += page.chars;
    if (chars > maxChars || page.isLast) return chars > maxChars;
    fromSeq = page.nextSeq;
  }
}

async function* streamedTexts(
  history: Pick<History, 'streamPage'>,
  key: string,
  attempt: number,
): AsyncGenerator<string> {
  for (let fromSeq = 0; ;) {
    const page = await history.streamPage(key, attempt, fromSeq, { withMedia: true, run: null });
    if (page === null) throw noJob();
    yield page.digest.text;
    if (page.isLast) return;
    fromSeq = page.nextSeq;
  }
}

/** It was deleted in between. */
const noJob = (): HistoryError => new HistoryError(historyText.noJob, 'change');

/** The same text, with both halves of a surrogate pair in one part: a file has each part in UTF-8. */
export async function* wholeCharacters(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const part of parts) {
    const text = held + part;
    const last = text.charCodeAt(text.length - 1);
    held = last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : '';
    yield held === '' ? text : text.slice(0, -1);
  }
  if (held !== '') yield held;
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
