import type { SubmitOperation } from '../../../src-preload/job.ts';

/** What one submission asks for, and what must be on the disk at the end. */
export interface Intent {
  /** Part of the input, of every chunk, of the output and of the error. It is unique. */
  marker: string;
  operation: SubmitOperation;
  inputText: string;
  /** When it is submitted, from the start of its run. */
  atMs: number;
  end: 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** The service deletes it while it runs. Null: it ends before. */
  ttlMs: number | null;
  /** As JSON texts, in order. Empty if it does not stream. */
  chunks: string[];
  /** As a JSON text. Null if it does not complete. */
  output: string | null;
}

interface IntentShape {
  chunks?: unknown[];
  result?: unknown;
  error?: string;
  pauseMs: number;
  ttlMs?: number;
}

/**
 * The submissions of one run, spread over `withinMs`: streams of unique chunks, plain outputs, outputs that are lists
 * and not streams, failures, streams that fail, and streams that their ttl ends. Some by runsync, some slow.
 */
export function intentsOf(run: string, count: number, withinMs: number, random: () => number): Intent[] {
  return Array.from({ length: count }, (_, at) => {
    const marker = `${run}-${at}`;
    const shape = shapeOf(marker, random);
    const input = { marker, pause_ms: shape.pauseMs, chunks: shape.chunks, result: shape.result, error: shape.error };
    const end = shape.error !== undefined ? 'FAILED' : shape.ttlMs !== undefined ? 'EXPIRED' : 'COMPLETED';
    return {
      marker,
      operation: random() < 0.15 ? ('runsync' as const) : ('run' as const),
      inputText: JSON.stringify(input),
      // In bursts, as people and scripts submit: several at the same moment.
      atMs: Math.floor(random() * 5) * (withinMs / 5),
      end,
      ttlMs: shape.ttlMs ?? null,
      chunks: (shape.chunks ?? []).map((chunk) => JSON.stringify(chunk)),
      output: end !== 'COMPLETED' ? null : JSON.stringify(shape.chunks ?? shape.result),
    };
  });
}

function shapeOf(marker: string, random: () => number): IntentShape {
  const below = (max: number): number => Math.floor(random() * max);
  const chunks = (): unknown[] =>
    Array.from({ length: 2 + below(30) }, (_, at) =>
      at % 2 === 0 ? { text: [`${marker}/${at} `], output_tokens: 1 } : `${marker}/${at}${'.'.repeat(below(200))}`,
    );
  const kind = random();
  if (kind < 0.47) return { chunks: chunks(), pauseMs: below(60) };
  // The shortest possible ttl, and a stream that takes longer.
  if (kind < 0.5)
    return { chunks: Array.from({ length: 30 }, (_, at) => `${marker}/${at}`), pauseMs: 500, ttlMs: 10_000 };
  if (kind < 0.55) return { chunks: chunks(), error: `${marker} gave up in the middle`, pauseMs: below(40) };
  if (kind < 0.7) return { error: `${marker} cannot be done`, pauseMs: below(300) };
  if (kind < 0.8)
    return { result: Array.from({ length: 1 + below(6) }, (_, at) => `${marker} item ${at}`), pauseMs: below(300) };
  return { result: { marker, text: `${marker} `.repeat(below(400)) }, pauseMs: below(kind < 0.84 ? 3_000 : 400) };
}
