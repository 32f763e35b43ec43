import { existsSync, readdirSync } from 'node:fs';

/**
 * Runs one bench and prints its measurements: `node test/bench/run.ts NAME [--json]`. A bench is a file in this folder
 * that exports `run({ json })`. It may print progress to stderr, and read its own options after its name.
 */
export type BenchResult = Record<string, number | string>;

interface Bench {
  run(options: { json: boolean }): Promise<BenchResult>;
}

function isBench(value: unknown): value is Bench {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}

const [name = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const file = new URL(`./${name}.ts`, import.meta.url);
if (!/^[a-z][a-z-]*$/.test(name) || name === 'run' || !existsSync(file)) {
  const names = readdirSync(new URL('.', import.meta.url))
    .filter((entry) => entry.endsWith('.ts') && entry !== 'run.ts')
    .map((entry) => entry.slice(0, -3));
  console.error(`Name a bench: ${names.join(', ')}`);
  process.exitCode = 2;
} else {
  const bench: unknown = await import(file.href);
  if (!isBench(bench)) throw new Error(`${file.pathname} exports no run()`);
  const json = process.argv.includes('--json');
  const result = await bench.run({ json });
  if (json) console.log(JSON.stringify(result));
  else for (const [what, value] of Object.entries(result)) console.log(`${what.padEnd(48)} ${String(value)}`);
}
