import { createSeededRandom, seedFromText } from '../../seeded-random.ts';
import { numberInput, sleep, type HandlerContext, type Job } from './job.ts';
import { writeDocument } from './text-document.ts';

const DEFAULT_PROMPT = 'Write an incident review of the checkout slowdown';
/** A shorter timer (in real time) is not reliable. The time is added to a later chunk. */
const SHORTEST_SLEEP_MS = 2;

/**
 * Streams a text like a language model's worker, in chunks of one to four tokens with the metrics of the specification
 * (spec: Stream chunk). Input: `prompt` (or `messages`, of which the last content is used), `max_tokens` (128),
 * `tokens_per_second` (40), `seed` (made from the prompt).
 */
export async function* handler(job: Job, context: HandlerContext): AsyncGenerator<unknown> {
  const { timeScale } = context;
  const startedAtMs = performance.now();
  const elapsedMs = (): number => (performance.now() - startedAtMs) * timeScale;
  const { input } = job;
  const prompt = promptOf(input);
  const maxTokens = numberInput(input, 'max_tokens', { default: 128, min: 1, max: 10_000_000, isInteger: true });
  const tokensPerSecond = numberInput(input, 'tokens_per_second', { default: 40, min: 0.01, max: 1e9 });
  const seed = numberInput(input, 'seed', { default: seedFromText(prompt), min: 0, max: 2 ** 53, isInteger: true });
  const random = createSeededRandom(seed);
  const promptTokens = prompt.split(/\s+/).length;

  let streamIndex = 0;
  let emittedTokens = 0;
  let pending: string[] = [];
  let chunkTokens = 1;

  function chunkOf(tokens: string[]): unknown {
    // As in the field, each chunk counts its own tokens. Those of the prompt are in the first.
    const counts = { input_tokens: streamIndex === 0 ? promptTokens : 0, output_tokens: tokens.length };
    const elapsedS = Math.max(0.001, elapsedMs() / 1_000);
    const metrics = {
      avg_gen_throughput: round(emittedTokens / elapsedS, 2),
      avg_prompt_throughput: round(promptTokens / elapsedS, 2),
      cpu_kv_cache_usage: 0,
      gpu_kv_cache_usage: round(Math.min(1, (promptTokens + emittedTokens) / 131_072), 6),
      ...counts,
      pending: 0,
      running: 1,
      scenario: 'stream',
      stream_index: streamIndex,
      swapped: 0,
    };
    streamIndex += 1;
    return { output: { text: [tokens.join('')], ...counts }, metrics };
  }

  for (const token of writeDocument({ prompt, random, maxTokens })) {
    pending.push(token);
    if (pending.length < chunkTokens) continue;
    emittedTokens += pending.length;
    const waitMs = (emittedTokens / tokensPerSecond) * 1_000 - elapsedMs();
    if (waitMs / timeScale >= SHORTEST_SLEEP_MS) await sleep(waitMs, job, context);
    yield chunkOf(pending);
    pending = [];
    chunkTokens = 1 + Math.floor(random() * 4);
  }
  emittedTokens += pending.length;
  if (pending.length > 0) yield chunkOf(pending);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

function promptOf({ prompt, messages }: Record<string, unknown>): string {
  if (typeof prompt === 'string') return prompt.trim() === '' ? DEFAULT_PROMPT : prompt;
  if (prompt !== undefined) throw new TypeError('prompt must be a string.');
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (typeof last === 'object' && last !== null && 'content' in last && typeof last.content === 'string')
    return last.content;
  return DEFAULT_PROMPT;
}
