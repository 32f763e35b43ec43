import { readFileSync } from 'node:fs';
import { createHttpClient } from './http-client.ts';
import { HELP, parseOptions, type SuiteOptions } from './options.ts';
import { probe } from './probe.ts';
import { emptyTally, jsonOf, lineOf, summaryOf } from './report.ts';
import type { Rule } from './rule.ts';
import { createService } from './service.ts';
import { runRules } from './suite.ts';
import { createRealTime } from './time.ts';

/**
 * Checks any service against the specification: `JOBDECK_KEY=K npm run -s conformance -- --base-url U --rest-url R
 * --endpoint E`. Exit 0: nothing failed, 1: something failed or the service cannot be
 * reached, 2: the command line.
 */

/** On top of the longest wait: the time a single answer may take. */
const ANSWER_MS = 30_000;

/** Output goes to a pipe as often as to a screen: written before the process ends. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** A key of a few characters is none that has to be kept, and occurs in every other word. */
const SECRET_LENGTH = 4;

function withoutKey(text: string, apiKey: string): string {
  return apiKey.length < SECRET_LENGTH ? text : text.replaceAll(apiKey, '<key>');
}

function list(rules: readonly Rule[], isJson: boolean): void {
  for (const { id, says, source } of rules)
    print(isJson ? JSON.stringify({ rule: id, says, source }) : `${id}  ${says}  (${source})`);
  if (!isJson) print(`${rules.length} rules`);
}

async function run({ timeScale, maxWaitS, rules, isJson, ...target }: SuiteOptions): Promise<number> {
  const time = createRealTime(timeScale);
  const http = createHttpClient(maxWaitS * 1_000 + ANSWER_MS);
  const service = createService({ ...target, time, http, maxWaitMs: maxWaitS * 1_000 * timeScale, workers: null });
  const secrecy = (line: string): string => withoutKey(line, target.apiKey);
  try {
    const unreachable = await probe(service);
    if (unreachable !== null) {
      process.stderr.write(`conformance: ${secrecy(unreachable)}\n`);
      return 1;
    }
    const tally = emptyTally();
    for await (const result of runRules(service, rules)) {
      tally[result.verdict.verdict] += 1;
      print(secrecy((isJson ? jsonOf : lineOf)(result, target.dialect)));
    }
    print(isJson ? JSON.stringify({ summary: tally, dialect: target.dialect }) : summaryOf(tally, target.dialect));
    return tally.fail === 0 ? 0 : 1;
  } finally {
    http.close();
  }
}

// The reader of the lines may have seen enough.
process.stdout.on('error', () => process.exit(1));

const parsed = parseOptions(process.argv.slice(2), {
  environmentKey: process.env['JOBDECK_KEY'],
  firstLine: () => readFileSync(0, 'utf8').split('\n', 1)[0] ?? '',
});
switch (parsed.kind) {
  case 'refused':
    process.stderr.write(`conformance: ${parsed.message}\n`);
    process.exitCode = 2;
    break;
  case 'help':
    process.stdout.write(HELP);
    break;
  case 'list':
    list(parsed.rules, parsed.isJson);
    break;
  case 'run':
    try {
      process.exitCode = await run(parsed.options);
    } catch (error) {
      process.stderr.write(
        withoutKey(
          `conformance: the run ended early: ${error instanceof Error ? error.message : String(error)}\n`,
          parsed.options.apiKey,
        ),
      );
      process.exitCode = 1;
    }
    break;
}
