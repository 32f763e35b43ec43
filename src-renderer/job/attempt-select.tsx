import { statusLook, statusWord } from '../../src-preload/job.ts';
import type { Attempt, Job } from '../../src-preload/job.ts';
import { formatClock } from '../design/format.ts';
import { Select } from '../design/select.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';

/** Every try of a job can be looked at: a retry keeps the former attempt's output, error and times (ruling 12). */
export function AttemptSelect({ job, attempts, value, onChange }: { job: Job; attempts: readonly Attempt[]; value: number; onChange: (number: number | null) => void }) {
  const options = attempts
    .toSorted((one, other) => other.number - one.number)
    .map((attempt) => {
      const shown = attempt.number === job.attempt ? job : { phase: 'finished' as const, status: attempt.status, note: attempt.errorText };
      return { value: String(attempt.number), label: `Attempt ${attempt.number} of ${attempts.length}`, note: `${statusWord(shown)}, ${formatClock(attempt.startedAtMs)}`, icon: <StatusGlyph look={statusLook(shown)} size={12} /> };
    });
  return <Select size="sm" label="Attempt" value={String(value)} options={options} onChange={(next) => onChange(Number(next) === job.attempt ? null : Number(next))} />;
}
