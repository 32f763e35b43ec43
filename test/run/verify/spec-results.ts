import { recordsIn } from '../json-records.ts';

/** The result of one spec, and what it ran on. */
export interface SpecResult {
  /** Relative to the project's folder. */
  file: string;
  title: string;
  state: 'passed' | 'failed' | 'skipped';
  /** As the launch fixture noted it. Empty if the spec starts no app. */
  runtimes: string[];
  /** Why it was skipped, or how it failed, in one line. */
  detail: string;
}

/** Whether all of it ran on Electron's program. */
export function isOnElectron({ runtimes }: SpecResult): boolean {
  return runtimes.includes('electron') && !runtimes.includes('stand-in');
}

/** The specs of Playwright's JSON report. Empty if it is not such a report. */
export function specResults(report: unknown): SpecResult[] {
  return recordsIn(report, 'suites').flatMap((suite) => [
    ...specResults(suite),
    ...recordsIn(suite, 'specs').flatMap((spec) => {
      const { title, file } = spec;
      if (typeof title !== 'string' || typeof file !== 'string') return [];
      return recordsIn(spec, 'tests').map((test) => resultOf(`test/e2e/${file}`, title, test));
    }),
  ]);
}

function resultOf(file: string, title: string, test: Record<string, unknown>): SpecResult {
  const notes = recordsIn(test, 'annotations');
  const noted = (type: string): string[] =>
    notes.flatMap((note) =>
      note['type'] === type && typeof note['description'] === 'string' ? [note['description']] : [],
    );
  const messages = recordsIn(test, 'results').flatMap((result) =>
    recordsIn(result, 'errors').flatMap(({ message }) => (typeof message === 'string' ? [message] : [])),
  );
  const state = test['status'] === 'expected' ? 'passed' : test['status'] === 'skipped' ? 'skipped' : 'failed';
  const [detail = ''] = state === 'skipped' ? noted('skip') : messages;
  return { file, title, state, runtimes: [...new Set(noted('runtime'))], detail: firstLine(detail) };
}

function firstLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- colours of the terminal begin so, and mean nothing on a page
  return (text.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n')[0] ?? '').slice(0, 200);
}
