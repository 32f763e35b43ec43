/**
 * The first 22 steps of the schema. This file is closed: new steps are appended to schema-steps-from-23.ts, because a
 * step added here would shift the numbers of all that follow. A released step is never changed, because existing files
 * have taken it.
 *
 * Times and durations are REAL: the service may send fractions, and STRICT would refuse them in an INTEGER column.
 */
export const stepsTo22: readonly string[] = [
  `
  -- Jobs that agree in everything the sidebar and the filter bar tell apart share a facet. One small index on
  -- jobs.facet then serves every such filter, and counting is adding up a few rows.
  CREATE TABLE facets (
    id INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    phase TEXT NOT NULL,
    word TEXT NOT NULL,
    is_starred INTEGER NOT NULL,
    is_seen INTEGER NOT NULL,
    jobs INTEGER NOT NULL DEFAULT 0,
    UNIQUE (connection_id, endpoint_id, phase, word, is_starred, is_seen)
  ) STRICT;

  -- The id ascends with the key, so that every index on this table already lies in list order.
  CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    facet INTEGER NOT NULL REFERENCES facets (id),
    job_id TEXT,
    connection_id TEXT NOT NULL,
    base_url TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    title TEXT NOT NULL,
    tags_json TEXT NOT NULL,
    phase TEXT NOT NULL,
    status TEXT,
    gone_reason TEXT,
    attempt INTEGER NOT NULL,
    created_at_ms REAL NOT NULL,
    accepted_at_ms REAL,
    started_seen_at_ms REAL,
    finished_seen_at_ms REAL,
    delay_time_ms REAL,
    execution_time_ms REAL,
    policy_json TEXT NOT NULL,
    ttl_ends_at_ms REAL,
    retention_ends_at_ms REAL,
    input_bytes REAL NOT NULL,
    output_bytes REAL NOT NULL,
    is_result_saved INTEGER NOT NULL,
    is_without_output INTEGER NOT NULL,
    chunk_count INTEGER NOT NULL,
    note TEXT,
    last_checked_at_ms REAL,
    request_count INTEGER NOT NULL,
    is_starred INTEGER NOT NULL,
    is_seen INTEGER NOT NULL,
    is_cancelling INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_facet ON jobs (facet);
  CREATE INDEX jobs_by_job_id ON jobs (job_id) WHERE job_id IS NOT NULL;
  CREATE INDEX jobs_by_creation ON jobs (created_at_ms, facet);
  CREATE INDEX jobs_by_finish ON jobs (finished_seen_at_ms, facet) WHERE finished_seen_at_ms IS NOT NULL;

  CREATE TRIGGER jobs_born AFTER INSERT ON jobs BEGIN
    UPDATE facets SET jobs = jobs + 1 WHERE id = new.facet;
  END;
  CREATE TRIGGER jobs_moved AFTER UPDATE OF facet ON jobs WHEN new.facet <> old.facet BEGIN
    UPDATE facets SET jobs = jobs - 1 WHERE id = old.facet;
    UPDATE facets SET jobs = jobs + 1 WHERE id = new.facet;
  END;
  CREATE TRIGGER jobs_removed AFTER DELETE ON jobs BEGIN
    UPDATE facets SET jobs = jobs - 1 WHERE id = old.facet;
  END;

  CREATE TABLE job_tags (
    tag TEXT NOT NULL,
    job INTEGER NOT NULL REFERENCES jobs (id),
    PRIMARY KEY (tag, job)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE submissions (
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    policy_json TEXT NOT NULL,
    webhook TEXT,
    wait_ms REAL,
    s3_profile_id TEXT
  ) STRICT;

  CREATE TABLE attempts (
    job INTEGER NOT NULL REFERENCES jobs (id),
    number INTEGER NOT NULL,
    started_at_ms REAL NOT NULL,
    status TEXT,
    delay_time_ms REAL,
    execution_time_ms REAL,
    worker_id TEXT,
    error_text TEXT,
    has_output INTEGER NOT NULL,
    output_bytes REAL NOT NULL,
    chunk_count INTEGER NOT NULL,
    finished_seen_at_ms REAL,
    PRIMARY KEY (job, number)
  ) STRICT, WITHOUT ROWID;

  -- A body lies in pieces, so that its beginning is read without the rest.
  CREATE TABLE bodies (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs (id),
    part TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (job, part, attempt)
  ) STRICT;
  CREATE TABLE body_pieces (
    body INTEGER NOT NULL REFERENCES bodies (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (body, number)
  ) STRICT;

  CREATE TABLE chunk_batches (
    job INTEGER NOT NULL REFERENCES jobs (id),
    attempt INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    count INTEGER NOT NULL,
    encoding INTEGER NOT NULL,
    data BLOB NOT NULL,
    UNIQUE (job, attempt, first_seq)
  ) STRICT;

  CREATE TABLE requests (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES jobs (id),
    at_ms REAL NOT NULL,
    method TEXT NOT NULL,
    operation TEXT NOT NULL,
    path TEXT NOT NULL,
    http_status INTEGER,
    took_ms REAL NOT NULL,
    bytes_received REAL NOT NULL,
    failure_kind TEXT,
    note TEXT
  ) STRICT;
  CREATE INDEX requests_by_job ON requests (job);

  CREATE TABLE health_latest (
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    json TEXT NOT NULL,
    PRIMARY KEY (connection_id, endpoint_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE health_samples (
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    at_ms REAL NOT NULL,
    in_queue REAL NOT NULL,
    in_progress REAL NOT NULL,
    running REAL NOT NULL,
    idle REAL NOT NULL,
    PRIMARY KEY (connection_id, endpoint_id, at_ms)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  `,
  `
  -- The index itself keeps no text (content=''): search_texts does, compressed.
  -- 'categories' makes every character that our folding leaves in a word part of a word for SQLite too,
  -- letters younger than SQLite's Unicode tables and the sign of our marks included.
  -- 'prefix' because merging all words of a short beginning takes half a second over a million jobs.
  CREATE VIRTUAL TABLE search USING fts5 (
    words,
    content = '', contentless_delete = 1, prefix = '3 4',
    tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* S* Co Cn'"
  );
  CREATE TABLE search_texts (
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    encoding INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  -- Jobs whose index is behind; written in the same transaction as the change, so that a crash forgets nothing.
  -- Not urgent: only chunks came, and more will come soon.
  CREATE TABLE search_dirty (
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    is_urgent INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_dirty_urgent ON search_dirty (job) WHERE is_urgent = 1;
  INSERT INTO search_dirty (job, is_urgent) SELECT id, 1 FROM jobs;
  `,
  `
  CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    operation TEXT NOT NULL,
    created_at_ms REAL NOT NULL,
    total INTEGER NOT NULL,
    is_paused INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE jobs ADD COLUMN batch_id TEXT REFERENCES batches (id);
  ALTER TABLE jobs ADD COLUMN batch_row INTEGER;
  -- In list order within a batch, as every index on this table.
  CREATE INDEX jobs_by_batch ON jobs (batch_id) WHERE batch_id IS NOT NULL;
  -- Counting the rows of a batch by their state reads this index alone.
  CREATE INDEX jobs_by_batch_state ON jobs (batch_id, phase, status) WHERE batch_id IS NOT NULL;
  `,
  `
  -- Readings keep all that a health record tells. NULL: the service does not tell it; counters are NULL only in
  -- samples older than this step, which are kept for the hour that trends look back on, and then gone.
  ALTER TABLE health_samples ADD COLUMN initializing REAL;
  ALTER TABLE health_samples ADD COLUMN ready REAL;
  ALTER TABLE health_samples ADD COLUMN throttled REAL;
  ALTER TABLE health_samples ADD COLUMN unhealthy REAL;
  ALTER TABLE health_samples ADD COLUMN completed REAL;
  ALTER TABLE health_samples ADD COLUMN failed REAL;
  ALTER TABLE health_samples ADD COLUMN retried REAL;
  DELETE FROM health_samples WHERE at_ms < (
    SELECT max(newest.at_ms) - 3600000 FROM health_samples AS newest
    WHERE newest.connection_id = health_samples.connection_id AND newest.endpoint_id = health_samples.endpoint_id);
  -- What readings older than an hour came to: an hour's minutes or a day's hours in one block, because they are
  -- written seldom and read by the thousand.
  CREATE TABLE health_blocks (
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    span_ms REAL NOT NULL,
    from_ms REAL NOT NULL,
    points BLOB NOT NULL,
    UNIQUE (connection_id, endpoint_id, span_ms, from_ms)
  ) STRICT;
  `,
  `
  -- What jobs cost is their execution time by the rate of the time they ended: adding that up reads this index alone.
  CREATE INDEX jobs_by_cost ON jobs (facet, finished_seen_at_ms, execution_time_ms);
  -- The former attempts of those that were retried cost too.
  CREATE INDEX jobs_retried ON jobs (facet) WHERE attempt > 1;
  `,
  `
  -- Times that alert rules fired. The id ascends in time.
  CREATE TABLE alerts (
    id TEXT PRIMARY KEY,
    rule_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    since_ms REAL NOT NULL,
    fired_at_ms REAL NOT NULL,
    last_seen_at_ms REAL NOT NULL,
    ended_at_ms REAL,
    is_end_exact INTEGER NOT NULL,
    telling TEXT NOT NULL,
    told_at_ms REAL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX alerts_by_endpoint ON alerts (connection_id, endpoint_id, id);
  `,
  `
  -- 0: the stream is read once, when the job is over, unless somebody watches it.
  ALTER TABLE jobs ADD COLUMN is_kept_whole INTEGER NOT NULL DEFAULT 1;
  `,
  `
  -- When a retry was asked for that waits to be sent. They are few, and looked for at each start.
  ALTER TABLE jobs ADD COLUMN retry_asked_at_ms REAL;
  CREATE INDEX jobs_to_retry ON jobs (retry_asked_at_ms) WHERE retry_asked_at_ms IS NOT NULL;
  `,
  `
  -- With the delay in it, how long jobs waited and ran is read from this index alone as well: twenty thousand of an
  -- endpoint's jobs without fetching one of them.
  DROP INDEX jobs_by_cost;
  CREATE INDEX jobs_by_cost ON jobs (facet, finished_seen_at_ms, execution_time_ms, delay_time_ms);
  `,
  `
  -- 1: of unknown outcome, and its endpoint's counters say that it arrived.
  ALTER TABLE jobs ADD COLUMN is_likely_there INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What is not settled about a job, as JSON: that the service does not know it at the moment, that its stream is still
  -- being fetched, when it was seen running before it went back into the queue. NULL for nearly all.
  ALTER TABLE jobs ADD COLUMN unsettled_json TEXT;
  `,
  `
  -- Jobs whose text could not be indexed, and by which way of reading it: a newer one tries again.
  CREATE TABLE search_left_out (
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    reading INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Why a job stands as it does is data (job-reason.ts); words that were kept until now stay words.
  ALTER TABLE jobs RENAME COLUMN note TO reason_json;
  UPDATE jobs SET reason_json = CASE
    WHEN status = 'TIMED_OUT' OR (status = 'FAILED' AND reason_json LIKE '%executionTimeout exceeded%')
    THEN json_object(
      'kind', 'timed-out',
      'limitMs', coalesce(json_extract(policy_json, '$.executionTimeout'), 600000),
      'said', reason_json)
    WHEN is_without_output = 1 THEN json_object('kind', 'no-output')
    WHEN phase = 'active' AND status = 'IN_PROGRESS' AND reason_json NOT LIKE 'Not cancelled: %' THEN
      json_object('kind', 'progress', 'said', reason_json)
    ELSE json_object('kind', 'prose', 'text', reason_json) END
  WHERE reason_json IS NOT NULL;
  -- The phase of a job whose connection was removed has the field's name.
  UPDATE facets SET phase = 'orphaned', word = 'orphaned' WHERE phase = 'left-behind';
  UPDATE jobs SET phase = 'orphaned' WHERE phase = 'left-behind';
  `,
  `
  -- Jobs can be deleted: without this index the tags of all jobs were looked through for each of them.
  CREATE INDEX job_tags_by_job ON job_tags (job);
  `,
  `
  -- What the user says of a job. Few jobs have any of it, so each is found by an index of those alone; a note may be
  -- long and lies apart, so that lists do not read it.
  ALTER TABLE jobs ADD COLUMN mark INTEGER;
  ALTER TABLE jobs ADD COLUMN label TEXT;
  ALTER TABLE jobs ADD COLUMN has_note INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX jobs_marked ON jobs (mark) WHERE mark IS NOT NULL;
  CREATE INDEX jobs_labelled ON jobs (label COLLATE NOCASE) WHERE label IS NOT NULL;
  CREATE TABLE job_notes (
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    text TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- What a filter asks of a job beyond its facet is read from this index alone, newest first.
  DROP INDEX jobs_by_facet;
  CREATE INDEX jobs_by_facet ON jobs (facet, id, created_at_ms, execution_time_ms, delay_time_ms);
  -- One for each column the table is put in order by; the id makes that order whole, the facet spares a look at jobs.
  CREATE INDEX jobs_by_execution ON jobs (execution_time_ms, id, facet) WHERE execution_time_ms IS NOT NULL;
  CREATE INDEX jobs_by_wait ON jobs (delay_time_ms, id, facet) WHERE delay_time_ms IS NOT NULL;
  CREATE INDEX jobs_by_ttl ON jobs (ttl_ends_at_ms, id, facet) WHERE ttl_ends_at_ms IS NOT NULL;
  CREATE INDEX jobs_by_title ON jobs (title COLLATE NOCASE, id, facet);
  DROP INDEX jobs_by_job_id;
  CREATE INDEX jobs_by_job_id ON jobs (job_id, id, facet) WHERE job_id IS NOT NULL;
  CREATE INDEX jobs_with_stream ON jobs (id) WHERE chunk_count > 0;
  -- Which ids an hour's jobs have: ids ascend with creation but for clocks that were set, so that a time narrows the
  -- ids to look at, and only roughly.
  CREATE TABLE job_hours (
    hour INTEGER PRIMARY KEY,
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL
  ) STRICT;
  INSERT INTO job_hours
    SELECT CAST(created_at_ms / 3600000 AS INTEGER), min(id), max(id) FROM jobs GROUP BY 1;
  CREATE TRIGGER jobs_born_at AFTER INSERT ON jobs BEGIN
    INSERT INTO job_hours VALUES (CAST(new.created_at_ms / 3600000 AS INTEGER), new.id, new.id)
    ON CONFLICT (hour) DO UPDATE SET first_id = min(first_id, new.id), last_id = max(last_id, new.id)
    WHERE new.id < first_id OR new.id > last_id;
  END;
  CREATE TRIGGER jobs_dated AFTER UPDATE OF created_at_ms ON jobs WHEN new.created_at_ms <> old.created_at_ms BEGIN
    INSERT INTO job_hours VALUES (CAST(new.created_at_ms / 3600000 AS INTEGER), new.id, new.id)
    ON CONFLICT (hour) DO UPDATE SET first_id = min(first_id, new.id), last_id = max(last_id, new.id);
  END;
  -- Jobs that answered with an image, and those whose answer was kept before this was noted.
  CREATE TABLE job_images (job INTEGER PRIMARY KEY REFERENCES jobs (id)) STRICT;
  CREATE TABLE image_unknown (job INTEGER PRIMARY KEY REFERENCES jobs (id)) STRICT;
  INSERT INTO image_unknown SELECT id FROM jobs WHERE output_bytes > 0 OR chunk_count > 0;
  -- Fewer, larger parts while much is indexed; they are put together in idle moments.
  INSERT INTO search (search, rank) VALUES ('automerge', 8);
  INSERT INTO search (search, rank) VALUES ('hashsize', 8388608);
  `,
  `
  -- Failed jobs sorted by cause. What is to be sorted is noted with the change and done in idle moments, as the search
  -- index is: a crash forgets nothing, and saving costs one small row. Triggers keep the counts.
  CREATE TABLE failure_causes (
    id INTEGER PRIMARY KEY,
    connection_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    message TEXT NOT NULL,
    frame TEXT NOT NULL,
    muted_at_ms REAL,
    UNIQUE (connection_id, endpoint_id, message, frame)
  ) STRICT;
  CREATE TABLE failures (
    job INTEGER PRIMARY KEY REFERENCES jobs (id),
    cause INTEGER NOT NULL REFERENCES failure_causes (id),
    at_ms REAL NOT NULL,
    hour INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX failures_by_cause ON failures (cause, at_ms);
  CREATE TABLE failure_hours (
    cause INTEGER NOT NULL REFERENCES failure_causes (id),
    hour INTEGER NOT NULL,
    jobs INTEGER NOT NULL,
    PRIMARY KEY (cause, hour)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER failure_sorted AFTER INSERT ON failures BEGIN
    INSERT INTO failure_hours (cause, hour, jobs) VALUES (new.cause, new.hour, 1)
    ON CONFLICT (cause, hour) DO UPDATE SET jobs = jobs + 1;
  END;
  CREATE TRIGGER failure_taken_out AFTER DELETE ON failures BEGIN
    UPDATE failure_hours SET jobs = jobs - 1 WHERE cause = old.cause AND hour = old.hour;
    DELETE FROM failure_hours WHERE cause = old.cause AND hour = old.hour AND jobs = 0;
  END;
  CREATE TABLE failures_unsorted (
    job INTEGER PRIMARY KEY REFERENCES jobs (id)
  ) STRICT;
  INSERT INTO failures_unsorted (job)
  SELECT id FROM jobs
  WHERE facet IN (SELECT id FROM facets WHERE word IN ('failed', 'timed_out', 'refused'));
  `,
  `
  -- The job whose input a job was made from.
  ALTER TABLE jobs ADD COLUMN origin_key TEXT;
  CREATE INDEX jobs_by_origin ON jobs (origin_key) WHERE origin_key IS NOT NULL;
  `,
  `
  -- The search index has a file of its own (file/index-file.ts), which another thread writes. Here stays what it has
  -- to do. The number of a change tells one change of a job from the next: what was read for the index before the last
  -- one is not it.
  -- A removed job stands here too, and is hidden from searches until its words are gone.
  DROP TABLE search;
  DROP TABLE search_texts;
  DROP TABLE search_left_out;
  DROP TABLE search_dirty;
  CREATE TABLE search_dirty (
    job INTEGER PRIMARY KEY,
    change INTEGER NOT NULL,
    is_urgent INTEGER NOT NULL,
    is_reread INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_dirty_later ON search_dirty (job) WHERE is_urgent = 0;
  CREATE TABLE search_removed (
    job INTEGER PRIMARY KEY,
    change INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE search_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO search_identity VALUES (lower(hex(randomblob(16))));
  -- Read by nothing since an hour's ids are known (job_hours).
  DROP INDEX jobs_by_creation;
  -- New jobs are counted together at the end of their transaction (jobs/inserted-jobs.ts): a fifth of what an insert
  -- cost.
  DROP TRIGGER jobs_born;
  DROP TRIGGER jobs_born_at;
  `,
  `
  -- Everything Jobdeck said, written before it is shown. What it is about is there once: an outcome that is met again,
  -- in this run or a later one, is not said again. A job that is deleted takes its own with it.
  CREATE TABLE notifications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    about TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    look TEXT,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    at_ms REAL NOT NULL,
    connection_id TEXT NOT NULL,
    endpoint_id TEXT,
    job_key TEXT,
    batch_id TEXT,
    telling TEXT NOT NULL,
    told_at_ms REAL,
    together_id INTEGER,
    seen_at_ms REAL
  ) STRICT;
  CREATE INDEX notifications_waiting ON notifications (id) WHERE telling IN ('due', 'held', 'gathered');
  CREATE INDEX notifications_unseen ON notifications (id) WHERE seen_at_ms IS NULL;
  CREATE INDEX notifications_by_job ON notifications (job_key) WHERE job_key IS NOT NULL;
  CREATE TRIGGER notifications_of_deleted AFTER DELETE ON jobs BEGIN
    DELETE FROM notifications WHERE job_key = old.key;
  END;
  `,
  `
  -- How many rows of a batch may be on the service at once, and after how many failed rows nothing more is sent;
  -- stop_at_failures moves on when the user resumes it.
  ALTER TABLE batches ADD COLUMN most_live INTEGER;
  ALTER TABLE batches ADD COLUMN stop_after_failures INTEGER;
  ALTER TABLE batches ADD COLUMN stop_at_failures INTEGER;
  `,
  `
  -- Lists of a cause's jobs are read newest first, and the table is put in order by marks.
  CREATE INDEX failures_of_cause ON failures (cause, job);
  DROP INDEX jobs_marked;
  CREATE INDEX jobs_marked ON jobs (mark, id, facet) WHERE mark IS NOT NULL;
  `,
];
