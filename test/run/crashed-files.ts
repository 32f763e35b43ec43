import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** Where this reporter writes the test files whose process V8 itself ended: a JSON list of paths. */
export const crashedFilesVariable = 'JOBDECK_CRASHED_FILES';

/**
 * V8 13.6 of Node 24 now and then takes down a process that starts and ends many threads: SIGTRAP with "Check failed:
 * jit_page.has_value()", or SIGSEGV (nodejs/node#64500, open), in no relation to what ran. Nothing that JavaScript does
 * ends a process so, which tells these from every other crash. They are run once more, and said to be (see stages.ts).
 */
export function crashedFilesIn(messages: readonly string[]): string[] {
  return messages.flatMap((message) => {
    const file = /exited unexpectedly with signal (?:SIGTRAP|SIGSEGV)\b.*? test file (\S+)/.exec(message)?.[1];
    return file === undefined ? [] : [file];
  });
}

/** What vitest loads from this file's path, and makes one of. */
export default class CrashedFilesReporter implements Reporter {
  onTestRunEnd(...[, unhandledErrors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const path = process.env[crashedFilesVariable];
    if (path === undefined) return;
    const messages = unhandledErrors.flatMap(({ message, cause }) => [message, isMessage(cause) ? cause.message : '']);
    writeFileSync(path, JSON.stringify({ crashed: crashedFilesIn(messages), errors: unhandledErrors.length }));
  }
}

function isMessage(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
