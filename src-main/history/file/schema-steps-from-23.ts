/**
 * The schema's steps after the first 22, in order. Append only: a released step is never changed, because existing
 * files have taken it. The number of steps taken is `PRAGMA user_version`.
 *
 * While a step runs, a window shows that (docs/architecture.md: Boot). With a million jobs an index takes 0.6 s and
 * each ADD COLUMN 0.9 s, because SQLite then reads every row of a STRICT table to check it.
 */
export const stepsFrom23: readonly string[] = [
  `
  -- The first line of a job's note stands in the list; has_note is read by nothing since. Labels, notes and costs put
  -- the list in order too: between two changes of a rate a cost is a run time, so that an index of those within each
  -- facet has the order of costs.
  ALTER TABLE jobs ADD COLUMN note_line TEXT;
  UPDATE jobs SET note_line = (
    SELECT substr(coalesce(nullif(trim(substr(words, 1, instr(words || char(10), char(10)) - 1), char(13) || ' '), ''),
      '#'), 1, 200)
    FROM (SELECT ltrim(text, char(9, 10, 13, 32) || '#') AS words FROM job_notes WHERE job = jobs.id)
  ) WHERE id IN (SELECT job FROM job_notes);
  CREATE INDEX jobs_noted ON jobs (note_line COLLATE NOCASE, id, facet) WHERE note_line IS NOT NULL;
  DROP INDEX jobs_labelled;
  CREATE INDEX jobs_labelled ON jobs (label COLLATE NOCASE, id, facet) WHERE label IS NOT NULL;
  CREATE INDEX jobs_by_run_cost ON jobs (facet, execution_time_ms, id, finished_seen_at_ms)
  WHERE execution_time_ms IS NOT NULL;
  `,
  `
  -- Jobs of the same input are found by its hash (jobs/input-hash.ts). Those of former versions get theirs in idle
  -- moments, from the newest down: all below this id still have none.
  ALTER TABLE jobs ADD COLUMN input_hash INTEGER;
  CREATE INDEX jobs_by_input ON jobs (input_hash, id, facet) WHERE input_hash IS NOT NULL;
  CREATE TABLE inputs_unhashed (below_id INTEGER NOT NULL) STRICT;
  INSERT INTO inputs_unhashed SELECT max(id) + 1 FROM jobs HAVING max(id) IS NOT NULL;
  `,
  `
  -- Why a cause is muted, and until when: a moment, or more jobs in a day than before (rises_above).
  ALTER TABLE failure_causes ADD COLUMN muted_until_ms REAL;
  ALTER TABLE failure_causes ADD COLUMN rises_above INTEGER;
  ALTER TABLE failure_causes ADD COLUMN mute_reason TEXT;
  `,
  `
  -- A body of one piece is in its own row: half the rows, and a third of the pages, of one in a table of its own.
  -- NULL: it is in body_pieces, as all bodies of former versions are.
  ALTER TABLE bodies ADD COLUMN encoding INTEGER;
  ALTER TABLE bodies ADD COLUMN data BLOB;
  -- A cost is read from these two alone.
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
  DROP INDEX jobs_by_run_cost;
  CREATE INDEX jobs_by_run_cost ON jobs (id >> 32, facet, execution_time_ms, id, finished_seen_at_ms)
    WHERE execution_time_ms IS NOT NULL;
  DROP INDEX jobs_by_input;
  CREATE INDEX jobs_by_input ON jobs (id >> 32, input_hash, id, facet) WHERE input_hash IS NOT NULL;
  `,
  `
  -- More kinds of images are found since (src-preload/base64-images.ts), so answers without a known one are searched
  -- again in idle moments.
  INSERT OR IGNORE INTO image_unknown
    SELECT id FROM jobs
    WHERE (output_bytes > 0 OR chunk_count > 0) AND id NOT IN (SELECT job FROM job_images);
  `,
  `
  -- The list can be in the order of the first tag.
  ALTER TABLE jobs ADD COLUMN first_tag TEXT;
  UPDATE jobs SET first_tag = json_extract(tags_json, '$[0]') WHERE tags_json <> '[]';
  CREATE INDEX jobs_by_tag ON jobs (id >> 32, first_tag COLLATE NOCASE, id, facet) WHERE first_tag IS NOT NULL;
  `,
  `
  -- Streams are searched for images to their end since, and not only in their first 500 chunks: where the search of a
  -- job continues (jobs/images.ts).
  ALTER TABLE image_unknown ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE image_unknown ADD COLUMN from_seq INTEGER NOT NULL DEFAULT 0;
  INSERT OR IGNORE INTO image_unknown (job)
    SELECT DISTINCT job FROM attempts WHERE chunk_count > 500 AND job NOT IN (SELECT job FROM job_images);
  `,
  `
  -- Images in JSON that is in base64 are found since (src-preload/base64-images.ts), so answers without a known one are
  -- searched again in idle moments.
  INSERT OR IGNORE INTO image_unknown (job)
    SELECT id FROM jobs WHERE output_bytes > 0 AND id NOT IN (SELECT job FROM job_images);
  `,
];
