import { fork } from 'node:child_process';
import { join } from 'node:path';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { build } from 'vite';
import { projectDir } from '../kit/electron-binary.ts';
import type { Measured } from './replies/contender.ts';
import { replyKinds } from './replies/kinds.ts';
import type { BenchResult } from './run.ts';

const RUNS = 3;
const BUNDLES = join(projectDir, '.cache', 'bench-replies');
const CONTENDERS = ['ours', 'fetch().json()'] as const;

/**
 * How long main's event loop is blocked and how much memory it takes while large, deep and compressed replies arrive
 * (limits: 50 ms, and five times the decoded size). Measured through the app's own queue API and, for comparison, a
 * plain `fetch().json()`. Each measurement has its own process, with the service in another. The worst of several
 * counts.
 */
export async function run(_options: { json: boolean }): Promise<BenchResult> {
  await bundle();
  const service = fork(new URL('./replies/service.ts', import.meta.url));
  const [ready]: { baseUrl: string }[] = await once(service, 'message');
  const results: BenchResult = { 'load average at the start': round(loadavg()[0] ?? 0) };
  try {
    for (const [index, kind] of replyKinds.entries()) {
      for (const contender of CONTENDERS) {
        const runs: Measured[] = [];
        for (let each = 0; each < RUNS; each += 1) runs.push(await measure(contender, index, ready?.baseUrl ?? ''));
        const worst = (of: (measured: Measured) => number): number => Math.max(...runs.map(of));
        const name = `${kind.name}, ${contender}`;
        results[`${name}: longest stall ms`] = round(worst(({ longestMs }) => longestMs));
        results[`${name}: longest work in one go, CPU ms`] = round(worst(({ longestCpuMs }) => longestCpuMs));
        results[`${name}: memory, times the decoded size`] = round(
          worst(({ grownBytes, decodedBytes }) => grownBytes / decodedBytes),
        );
        results[`${name}: memory MB`] = round(worst(({ grownBytes }) => grownBytes / 1e6));
        results[`${name}: memory MB that the first large reply brings and that stays`] = round(
          worst(({ warmUpBytes }) => warmUpBytes / 1e6),
        );
        results[`${name}: took ms`] = Math.round(worst(({ tookMs }) => tookMs));
        const troubles = runs.map(({ trouble }) => trouble).filter((trouble) => trouble !== '');
        if (troubles.length > 0) results[`${name}: TROUBLE`] = troubles.join(' ');
        console.error(
          `${name}: ${results[`${name}: longest stall ms`]} ms, ${results[`${name}: memory, times the decoded size`]} times`,
        );
      }
    }
  } finally {
    service.disconnect();
  }
  return { ...results, 'load average at the end': round(loadavg()[0] ?? 0) };
}

/** As the app is built: plain modules, with the thread's file beside them. */
async function bundle(): Promise<void> {
  await build({
    configFile: false,
    root: projectDir,
    logLevel: 'error',
    build: {
      ssr: true,
      outDir: BUNDLES,
      emptyOutDir: true,
      minify: false,
      rollupOptions: {
        input: {
          contender: join(projectDir, 'test/bench/replies/contender.ts'),
          'reply-thread': join(projectDir, 'src-main/service/reply-thread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
}

async function measure(contender: string, index: number, baseUrl: string): Promise<Measured> {
  const child = fork(join(BUNDLES, 'contender.mjs'), [contender, String(index), baseUrl], {
    execArgv: ['--expose-gc'],
    env: { ...process.env, JOBDECK_REPLY_THREAD: './reply-thread.mjs' },
  });
  const [measured]: Measured[] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`The process of ${contender} ended with ${String(code)}.`)),
    ),
  ]);
  if (measured === undefined) throw new Error(`The process of ${contender} sent nothing.`);
  return measured;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
