import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src-main/sandbox/sandbox.ts';
import { startSandbox } from '../../kit/sandbox.ts';
import { createCaller, type Caller } from './caller.ts';

interface TextChunk {
  output: { text: string[]; input_tokens: number; output_tokens: number };
  metrics: Record<string, unknown>;
}

describe('built-in endpoints', () => {
  let sandbox: Sandbox;
  let caller: Caller;

  beforeAll(async () => {
    sandbox = await startSandbox({ limits: 'off' });
    caller = createCaller(sandbox);
  });
  afterAll(() => sandbox.close());

  it('are echo, text, image and mock', () => {
    expect(sandbox.endpoints).toEqual(['echo', 'text', 'image', 'mock']);
  });

  it('text streams with the metrics of the specification, over 20 chunks at 40 tokens a second', async () => {
    const { id, output, executionTime } = await caller.runsync('text', {
      prompt: 'Write an incident review about the zebrafish importer',
    });
    const { text: json } = await caller.get(`text/stream/${id}`);
    const chunks: TextChunk[] = JSON.parse(json);
    expect(chunks.length).toBeGreaterThan(20);
    expect(output).toEqual(chunks.map((chunk) => chunk.output));
    expect(chunks.map(({ metrics }) => metrics['stream_index'])).toEqual(chunks.map((_, index) => index));
    for (const { output: increment, metrics } of chunks) {
      expect(increment).toEqual({
        text: [expect.any(String)],
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
      });
      expect(metrics).toEqual({
        avg_gen_throughput: expect.any(Number),
        avg_prompt_throughput: expect.any(Number),
        cpu_kv_cache_usage: expect.any(Number),
        gpu_kv_cache_usage: expect.any(Number),
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        pending: expect.any(Number),
        running: expect.any(Number),
        swapped: expect.any(Number),
        scenario: 'stream',
        stream_index: expect.any(Number),
      });
    }
    const tokens = chunks.reduce((sum, { output: increment }) => sum + increment.output_tokens, 0);
    expect(executionTime).toBeGreaterThanOrEqual((tokens / 40) * 1_000 - 150);
    const text = chunks.flatMap((chunk) => chunk.output.text).join('');
    expect(text).toMatch(/^# Incident review: the zebrafish importer\n/);
    expect(text).toMatch(/zebrafish, importer, \w+\.$/);
  });

  it('text respects max_tokens, tokens_per_second and seed', async () => {
    const input = { prompt: 'x', max_tokens: 900, tokens_per_second: 1e6, seed: 4 };
    const [first, again, other] = [
      await caller.runsync('text', input),
      await caller.runsync('text', input),
      await caller.runsync('text', { ...input, seed: 5 }),
    ];
    const textOf = ({ output }: { output?: unknown }): string => JSON.stringify(output);
    expect(textOf(first)).toBe(textOf(again));
    expect(textOf(first)).not.toBe(textOf(other));
    // At the usual 40 tokens a second it would take 22 s.
    expect(first.executionTime).toBeLessThan(10_000);
    expect(await caller.runsync('text', { prompt: 5 })).toMatchObject({ status: 'FAILED' });
  });

  it('image returns PNGs of the requested size, with progress', async () => {
    const id = await caller.run('image', { prompt: 'ridges', width: 64, height: 48, count: 2, seed: 7 });
    const steps = new Set<string>();
    let record = await caller.status('image', id);
    for (; record.status !== 'COMPLETED'; record = await caller.status('image', id)) {
      if (record.status === 'IN_PROGRESS') steps.add(JSON.stringify(record.output));
    }
    expect(steps.size).toBeGreaterThan(8);
    expect(record.output).toEqual({
      images: [1, 2].map((n) => ({ type: 'base64', filename: `landscape-7-${n}.png`, data: expect.any(String) })),
    });
    const { images }: { images: { data: string }[] } = JSON.parse(JSON.stringify(record.output));
    const files = images.map(({ data }) => Buffer.from(data, 'base64'));
    for (const png of files) {
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([64, 48]);
      expect(inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))).toHaveLength(48 * (1 + 64 * 3));
    }
    expect(files[0]).not.toEqual(files[1]);
  });
});
