import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { ok, type Failure, type Result } from '../../src-preload/failure.ts';
import type { Attempt, JobDetail } from '../../src-preload/job.ts';
import type { StreamPage } from '../../src-preload/stream-digest.ts';
import { call } from '../bridge.ts';
import { callQuery, queries } from '../data/calls.ts';
import type { ComparedSide } from '../navigation/shell-store.ts';

/** The names of the sides in order. Everything is compared with A. */
export const letters = ['A', 'B', 'C', 'D'] as const;

/** The input and output of one side. */
interface SideBodies {
  input: string | null;
  /** The JSON that was returned or, without one, the streamed text. */
  output: { text: string; isStreamed: boolean } | null;
  /** When the first chunk of its stream arrived, or null. */
  firstReceivedAtMs: number | null;
}

export interface SideRead {
  side: ComparedSide;
  detail: JobDetail;
  /** Null if the job has none yet. */
  attempt: Attempt | null;
  /** Null until they are read. */
  bodies: SideBodies | null;
  /** Why they could not be read. */
  problem: Failure | null;
}

export interface SidesState {
  /** Null until all of them are read. */
  sides: SideRead[] | null;
  problem: Failure | null;
}

/** The compared jobs or attempts, updated by events. */
export function useSides(compared: readonly ComparedSide[]): SidesState {
  const details = useQueries({ queries: compared.map(({ key }) => callQuery('job:get', { key })) }, queries);
  const bodies = useQueries(
    {
      queries: compared.map(({ key, attempt }, at) => {
        const detail = details[at]?.data;
        const stamp = detail === undefined ? null : bodiesStamp(detail, attempt);
        return {
          queryKey: ['compared', key, attempt, stamp],
          queryFn: () => readBodies(key, attempt, detail),
          enabled: detail !== undefined,
          gcTime: 0,
        };
      }),
    },
    queries,
  );
  const problem = details.find(({ error }) => error !== null)?.error ?? null;
  const sides = compared.flatMap((side, at): SideRead[] => {
    const detail = details[at]?.data;
    const read = bodies[at];
    return detail === undefined || read === undefined ? [] : [sideOf(side, detail, read)];
  });
  return { sides: sides.length === compared.length ? sides : null, problem };
}

function sideOf(side: ComparedSide, detail: JobDetail, read: UseQueryResult<Result<SideBodies>>): SideRead {
  const number = side.attempt ?? detail.job.attempt;
  return {
    side,
    detail,
    attempt: detail.attempts.find((attempt) => attempt.number === number) ?? null,
    bodies: read.data?.ok === true ? read.data.value : null,
    problem: read.data?.ok === false ? read.data.failure : null,
  };
}

/** Changes with what is saved of an attempt. A former attempt does not change. */
function bodiesStamp({ job }: JobDetail, attempt: number | null): string {
  return attempt !== null && attempt !== job.attempt
    ? 'former'
    : `${job.attempt} ${job.isResultSaved} ${job.outputBytes} ${job.chunkCount}`;
}

async function readBodies(
  key: string,
  attempt: number | null,
  detail: JobDetail | undefined,
): Promise<Result<SideBodies>> {
  const [input, output] = await Promise.all([
    call('job:body', { key, part: 'input', attempt: null, isWhole: true }),
    call('job:body', { key, part: 'output', attempt, isWhole: true }),
  ]);
  for (const read of [input, output]) if (!read.ok && read.failure.kind !== 'absent') return read;
  const inputText = input.ok ? input.value.text : null;
  const number = attempt ?? detail?.job.attempt ?? 1;
  const first = await call('job:streamPage', { key, attempt: number, fromSeq: 0, withMedia: true, run: null });
  if (!first.ok && first.failure.kind !== 'absent') return first;
  const firstReceivedAtMs = first.ok ? first.value.firstReceivedAtMs : null;
  if (output.ok)
    return ok({ input: inputText, output: { text: output.value.text, isStreamed: false }, firstReceivedAtMs });
  const streamed = first.ok ? await readStreamed(key, number, first.value) : ok('');
  if (!streamed.ok) return streamed;
  return ok({
    input: inputText,
    output: streamed.value === '' ? null : { text: streamed.value, isStreamed: true },
    firstReceivedAtMs,
  });
}

/** The text of a whole stream whose first page is known. */
async function readStreamed(key: string, attempt: number, first: StreamPage): Promise<Result<string>> {
  const parts = [first.digest.text];
  for (let page = first; !page.isLast;) {
    const next = await call('job:streamPage', { key, attempt, fromSeq: page.nextSeq, withMedia: true, run: null });
    if (!next.ok) return next.failure.kind === 'absent' ? ok('') : next;
    parts.push(next.value.digest.text);
    page = next.value;
  }
  return ok(parts.join(''));
}
