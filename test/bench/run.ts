import { benches, benchList } from './benches.ts';

/**
 * Runs one bench and prints its measurements: `node test/bench/run.ts NAME [--json]`. Without a name it lists them. A
 * bench is a file in this folder that exports `run({ json })`, and has a line in benches.ts. It may print progress to
 * stderr, and read its own options after its name.
 */
export type BenchResult = Record<string, number | string>;

interface Bench {
  run(options: { json: boolean }): Promise<BenchResult>;
}

function isBench(value: unknown): value is Bench {
  return typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';
}

const [name = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (!Object.hasOwn(benches, name)) {
  console.error(`Name a bench: npm run -s bench -- NAME --json\n${benchList()}`);
  process.exitCode = 2;
} else {
  const file = new URL(`./${name}.ts`, import.meta.url);
  const bench: unknown = await import(file.href);
  if (!isBench(bench)) throw new Error(`${file.pathname} exports no run()`);
  const json = process.argv.includes('--json');
  const result = await bench.run({ json });
  if (json) console.log(JSON.stringify(result));
  else for (const [what, value] of Object.entries(result)) console.log(`${what.padEnd(48)} ${String(value)}`);
}
