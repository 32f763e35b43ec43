import type { DatabaseSync } from 'node:sqlite';

/** A query, and how SQLite runs it: one step a line. */
export interface QueryPlan {
  sql: string;
  steps: string[];
}

/**
 * The plans of the queries that `work` prepares, in order, each once. A query that this database prepared before is not
 * prepared again (`statement` of the history), so it is not among them.
 */
export function plansOf(db: DatabaseSync, work: () => void): QueryPlan[] {
  const prepared = new Set<string>();
  const prepare = db.prepare.bind(db);
  db.prepare = (sql) => {
    prepared.add(sql);
    return prepare(sql);
  };
  try {
    work();
  } finally {
    db.prepare = prepare;
  }
  return [...prepared]
    .filter((sql) => /^\s*(?:SELECT|WITH)\b/.test(sql))
    .map((sql) => ({
      sql,
      steps: prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => String(detail)),
    }));
}
