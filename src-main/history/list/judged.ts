import type { JobFilter } from '../../../src-preload/history.ts';

/** What a filter asks of marks and labels, as SQL over `jobs AS j`, and where such jobs are found. */
export interface JudgedFilter {
  /** Begins with ` AND ` or is empty. */
  sql: string;
  values: string[];
  /** What reads judged jobs alone; null where jobs without a judgement may pass too. */
  index: JudgedIndex | null;
}

/** An index of few jobs, and the condition under which SQLite may read it. */
interface JudgedIndex {
  name: string;
  condition: string;
}

/** Of the marks and labels that a filter names, a job has any. */
export function judgedFilter({ marks, labels }: Pick<JobFilter, 'marks' | 'labels'>): JudgedFilter {
  const asked: string[] = [];
  const values: string[] = [];
  if (marks.length > 0) {
    asked.push(` AND coalesce(j.mark, 0) IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(marks));
  }
  if (labels.length > 0) {
    asked.push(` AND j.label COLLATE NOCASE IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(labels));
  }
  return { sql: asked.join(''), values, index: indexOf(marks, labels) };
}

/** Of the two indexes the one of labels names fewer jobs. */
function indexOf(marks: readonly number[], labels: readonly string[]): JudgedIndex | null {
  if (labels.length > 0) return { name: 'jobs_labelled', condition: 'j.label IS NOT NULL' };
  if (marks.length > 0 && !marks.includes(0)) return { name: 'jobs_marked', condition: 'j.mark IS NOT NULL' };
  return null;
}
