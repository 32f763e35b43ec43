/** The steps after those of schema-steps.ts, by the same rules. */
export const laterSteps: readonly string[] = [
  `
  -- A body that fits in one piece lies in its own row: half the rows and a third of the pages of one beside the other.
  -- NULL: it is in body_pieces, as all that were kept before.
  ALTER TABLE bodies ADD COLUMN encoding INTEGER;
  ALTER TABLE bodies ADD COLUMN data BLOB;
  -- What a cost is made of is read from these two alone.
  DROP INDEX jobs_by_facet;
  CREATE INDEX jobs_by_facet
    ON jobs (facet, id, created_at_ms, execution_time_ms, delay_time_ms, finished_seen_at_ms, attempt);
  DROP INDEX jobs_by_execution;
  CREATE INDEX jobs_by_execution ON jobs (id >> 32, execution_time_ms, id, facet, finished_seen_at_ms, attempt)
    WHERE execution_time_ms IS NOT NULL;
  -- Orders that have nothing to do with time begin with a block of ids (jobs/id-blocks.ts).
  DROP INDEX jobs_by_wait;
  CREATE INDEX jobs_by_wait ON jobs (id >> 32, delay_time_ms, id, facet) WHERE delay_time_ms IS NOT NULL;
  DROP INDEX jobs_by_title;
  CREATE INDEX jobs_by_title ON jobs (id >> 32, title COLLATE NOCASE, id, facet);
  DROP INDEX jobs_by_job_id;
  CREATE INDEX jobs_by_job_id ON jobs (id >> 32, job_id, id, facet) WHERE job_id IS NOT NULL;
  `,
];
