import type { FilterAnswer, FilterReply, FilterRequest } from './filter-answer.ts';
import { createJsonFilter } from './filter-json.ts';

/** The thread's entry: reads a text once, and answers filters for it one after the other. */
let filter: ((path: string) => FilterAnswer) | null = null;

addEventListener('message', ({ data }: MessageEvent<FilterRequest>) => {
  if (data.kind === 'text') {
    filter = createJsonFilter(data.text);
    return;
  }
  if (filter === null) return;
  const begunAtMs = performance.now();
  const answer = filter(data.path);
  const reply: FilterReply = { answer, tookMs: performance.now() - begunAtMs };
  postMessage(reply);
});
