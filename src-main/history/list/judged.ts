import type { JobFilter } from '../../../src-preload/history.ts';

/** A filter's condition on marks and labels, as SQL over `jobs AS j`, and where such jobs are found. */
export interface JudgedFilter {
  /** Begins with ` AND ` or is empty. */
  sql: string;
  values: string[];
  /** An index of judged jobs only. Null if jobs without a judgement may match too. */
  index: JudgedIndex | null;
}

/** An index of few jobs, and the condition under which SQLite may use it. */
interface JudgedIndex {
  name: string;
  condition: string;
}

/** The job has any of the filter's marks and any of its labels. */
export function judgedFilter({ marks, labels }: Pick<JobFilter, 'marks' | 'labels'>): JudgedFilter {
  const conditions: string[] = [];
  const values: string[] = [];
  if (marks.length > 0) {
    conditions.push(` AND coalesce(j.mark, 0) IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(marks));
  }
  if (labels.length > 0) {
    conditions.push(` AND j.label COLLATE NOCASE IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(labels));
  }
  return { sql: conditions.join(''), values, index: indexOf(marks, labels) };
}

/** The index of labels has fewer jobs than the one of marks. */
function indexOf(marks: readonly number[], labels: readonly string[]): JudgedIndex | null {
  if (labels.length > 0) return { name: 'jobs_labelled', condition: 'j.label IS NOT NULL' };
  if (marks.length > 0 && !marks.includes(0)) return { name: 'jobs_marked', condition: 'j.mark IS NOT NULL' };
  return null;
}
