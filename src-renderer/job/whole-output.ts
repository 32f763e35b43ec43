import type { Result } from '../../src-preload/failure.ts';
import { call } from '../bridge.ts';

/** A text of a job for other programs. */
export interface JobText {
  text: string;
  /** Whether it is JSON as the service sent it. */
  isJson: boolean;
}

/**
 * A job's whole output: as the service sent it, the text of a string or, if there is no body, that of its chunks. Empty
 * if there is none.
 */
export async function wholeOutput(key: string, attempt: number | null): Promise<Result<JobText>> {
  const detail = await call('job:get', { key });
  if (!detail.ok) return detail;
  const wanted = attempt ?? detail.value.job.attempt;
  const facts = detail.value.attempts.find((each) => each.number === wanted);
  const chunkCount = wanted === detail.value.job.attempt ? detail.value.job.chunkCount : (facts?.chunkCount ?? 0);
  if (chunkCount === 0) {
    const body = await call('job:body', { key, part: 'output', attempt, isWhole: true });
    if (body.ok) {
      const text = unquoted(body.value.text);
      return { ok: true, value: { text, isJson: text === body.value.text } };
    }
    return body.failure.kind === 'absent' ? { ok: true, value: { text: '', isJson: false } } : body;
  }
  const parts: string[] = [];
  for (let fromSeq = 0; ;) {
    const page = await call('job:streamPage', { key, attempt: wanted, fromSeq, withMedia: true, run: null });
    if (!page.ok) return page;
    parts.push(page.value.digest.text);
    if (page.value.isLast) return { ok: true, value: { text: parts.join(''), isJson: false } };
    fromSeq = page.value.nextSeq;
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
