import type { DatabaseSync } from 'node:sqlite';

/** Runs `work` as one transaction: nothing of it stays when it throws. */
export type InTransaction = <T>(work: () => T) => T;

export function createTransactions(db: DatabaseSync): InTransaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  return (work) => {
    begin.run();
    try {
      const answer = work();
      commit.run();
      return answer;
    } catch (error) {
      // A full disk makes SQLite roll back by itself; rolling back again would hide the cause.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  };
}
