import type { WireAnswer } from './answers.ts';
import type { Exchange } from './exchange.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** Spec: Errors; 403 is a foreign Host, 431 a head that is too long. A 5xx is never requested here. */
const KNOWN_STATUSES = new Set([200, 400, 401, 403, 404, 429, 431]);
const SENTENCE_MAX_CHARS = 500;

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(body: Buffer): { value: unknown } | null {
  try {
    return { value: JSON.parse(utf8.decode(body)) };
  } catch {
    return null;
  }
}

function errorOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
}

function problemsOfAnswer(answer: WireAnswer, request: FuzzRequest, apiKey: string): string[] {
  const { status, headers, body, raw } = answer;
  const problems: string[] = [];
  if (!KNOWN_STATUSES.has(status)) problems.push(`status ${status}`);
  if (raw.includes(apiKey)) problems.push('the key is in the answer');
  if (request.mustBeRefused && status < 400) problems.push('let in with a wrong key or a foreign Host');
  if (request.method === 'HEAD') return problems;
  if (headers.get('content-type')?.startsWith('application/json') !== true)
    problems.push(`content-type ${headers.get('content-type')}`);
  const parsed = parse(body);
  if (parsed === null) return [...problems, 'the body is not JSON'];
  if (status >= 300) {
    const error = errorOf(parsed.value);
    if (typeof error !== 'string') problems.push('no error sentence');
    else if (!/^[A-Za-z][^\p{Cc}\u2028\u2029\u202a-\u202e]*\.$/u.test(error))
      problems.push('error is not one sentence');
    else if (error.length > SENTENCE_MAX_CHARS)
      problems.push(`the error sentence is longer than ${SENTENCE_MAX_CHARS} characters`);
  }
  return problems;
}

/** What is wrong with the answer to a request. Empty if nothing is. */
export function problemsOf(request: FuzzRequest, exchange: Exchange, apiKey: string): string[] {
  const { answers, problem, isClosed, isTooLate } = exchange;
  const problems = answers.flatMap((answer) => problemsOfAnswer(answer, request, apiKey));
  if (request.ending === 'reset') return problems;
  if (problem !== null) problems.push(problem);
  if (answers.length < request.answers) problems.push(isClosed ? 'closed without an answer' : 'not answered');
  else if (isTooLate) problems.push('left open after both sides were done');
  if (request.form === 'kept' && answers.length > 1) problems.push(`${answers.length} answers to one request`);
  return problems;
}

const SHOWN_CHARS = 700;

function shown(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('latin1'));
  return text.length > SHOWN_CHARS
    ? `${text.slice(0, SHOWN_CHARS / 2)} … (${bytes.length} bytes) … ${text.slice(-SHOWN_CHARS / 2)}`
    : text;
}

/** A finding with what a reader needs to repeat it. */
export function describeFinding(
  seed: number,
  request: FuzzRequest,
  exchange: Exchange,
  problems: readonly string[],
): string {
  return [
    `${problems.join('; ')}   [FUZZ_SEED=${seed}, request ${request.number}, ${request.form}, ${request.ending}]`,
    `  sent: ${shown(Buffer.concat(request.pieces))}`,
    ...exchange.answers.map(({ raw }) => `  got:  ${shown(raw)}`),
    ...(exchange.answers.length === 0 ? [`  got:  nothing${exchange.isClosed ? ', closed' : ''}`] : []),
  ].join('\n');
}
