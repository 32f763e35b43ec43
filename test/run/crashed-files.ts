import { writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** The file to which this reporter writes the test files whose process V8 itself ended: a JSON list of paths. */
export const crashedFilesVariable = 'JOBDECK_CRASHED_FILES';

/**
 * V8 13.6 of Node 24 now and then crashes a process that starts and ends many threads: SIGTRAP with "Check failed:
 * jit_page.has_value()", or SIGSEGV (nodejs/node#64500, open), unrelated to the code that ran. JavaScript code cannot
 * end a process this way, so these crashes are distinct from all others. All files of the process are run again and reported
 * as such (see test-suites.ts).
 */
export function crashedFilesIn(messages: readonly string[]): string[] {
  return messages.flatMap((message) => {
    const files = /exited unexpectedly with signal (?:SIGTRAP|SIGSEGV)\b.*? test files? (.+)/.exec(message)?.[1];
    return files?.split(', ') ?? [];
  });
}

/** The class that vitest loads by this file's path. */
export default class CrashedFilesReporter implements Reporter {
  onTestRunEnd(...[, unhandledErrors]: Parameters<NonNullable<Reporter['onTestRunEnd']>>): void {
    const path = process.env[crashedFilesVariable];
    if (path === undefined) return;
    const crashes = unhandledErrors.map(({ message, cause }) =>
      crashedFilesIn([message, isMessage(cause) ? cause.message : '']),
    );
    const hasOtherErrors = crashes.some((files) => files.length === 0);
    writeFileSync(path, JSON.stringify({ crashed: crashes.flat(), hasOtherErrors }));
  }
}

function isMessage(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}
