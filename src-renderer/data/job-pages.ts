import type { Failure } from '../../src-preload/failure.ts';
import type { AllJobCounts, JobFilter, JobPage, JobSort } from '../../src-preload/history.ts';
import { isLive, type Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { orReport } from '../call-or-report.ts';
import { startOfDay } from '../../src-preload/format.ts';
import { needsEngine, isSameFilter } from './job-matches-filter.ts';
import { rowsThatFit } from './on-view.ts';
import type { JobList, JobListView } from './job-list.ts';
import { engineNow } from './engine-time.ts';

/** What is known of the list apart from its jobs. */
export interface ListFacts {
  /** `first` until the first answer for this connection. */
  status: 'first' | 'ready' | 'failed';
  problem: Failure | null;
  /** The filter of the rows on screen. Null before the first answer. */
  shownFilter: JobFilter | null;
  /** How many jobs match, and how many there are without the filter. */
  total: number;
  /** There are more than `total`. */
  isTotalCut: boolean;
  allTotal: number;
  snippets: Readonly<Record<string, string>>;
  hasMore: boolean;
  /** The order of the rows on screen. Null: newest first. */
  shownSort: JobSort | null;
}

/** A changed job, and the revision of the counts that came with the change. */
interface ChangedJob {
  job: Job;
  revision: number;
}

const pageSize = 200;
/** The most that main sends in one page. */
const largestPage = 500;
/** How many rows are read again at most. A longer list then has these only, and more when they are wanted. */
const mostReadAgain = 2_000;

/** The rows of a batch in the order of their inputs. */
const oldestFirst: JobSort = { column: 'created', isDescending: false };

/** Whether a list without an order of its own is by row: that of a batch, unless words are searched for. */
export function isReadByRow(filter: JobFilter): boolean {
  return filter.batchId !== null && !needsEngine(filter);
}

export interface JobPagesParts {
  /** Before a page is taken: what was reported before it is applied now, so that its counts are not ahead of that. */
  onAnswer: () => void;
  /** Gets the counts that belong to the jobs read, before `onRead` draws them. */
  onCounts: (counts: AllJobCounts) => void;
  onRead: (facts: Partial<ListFacts>) => void;
}

/** What became of a request for the next page. `none`: the rows on screen have no further one. */
export type MorePages = 'read' | 'failed' | 'none';

/** Reads the jobs of a filter into a list, page by page. Live jobs are read separately, because they come first. */
export class JobPages {
  readonly #list: JobList;
  readonly #parts: JobPagesParts;
  #generation = 0;
  /** Grows whenever the rows are replaced: a page continues only the rows that were there when it was asked for. */
  #rowsVersion = 0;
  #loadingMore: Promise<MorePages> | null = null;
  /** How many jobs the pages have that were read so far, without those of the live ones. */
  #rowsRead = 0;
  #nextLive: string | null = null;
  #nextAll: string | null = null;
  #sort: JobSort | null = null;
  #isByRow = false;
  /** The filter of the rows on screen. Null before the first answer. */
  #shownFilter: JobFilter | null = null;
  /** The last job of the pages read so far. */
  #lastKey: string | null = null;
  /** Reads in progress, and the jobs that changed meanwhile: a page that was read before a change must not undo it. */
  #reads = 0;
  readonly #changedMeanwhile = new Map<string, ChangedJob>();
  /** By key, the revision of the counts that the page of a job came with: an older change must not undo it either. */
  readonly #readAtRevision = new Map<string, number>();

  constructor(list: JobList, parts: JobPagesParts) {
    this.#list = list;
    this.#parts = parts;
  }

  /**
   * Reads the first pages again, and of the list on screen as many as were read of it. A later call takes precedence.
   * If a job ends between the read of all jobs and that of the live ones, the two do not agree with each other or with
   * their counts: then both are read again, `tries` times at most. If the same list is on screen, newer jobs wait above
   * its rows while these are held.
   */
  async load(filter: JobFilter, sort: JobSort | null, tries = 3): Promise<void> {
    const mine = (this.#generation += 1);
    this.#reads += 1;
    // The keys of a batch's rows ascend in the order of the rows.
    const isByRow = sort === null && isReadByRow(filter);
    const order = isByRow ? oldestFirst : sort;
    const [page, live] = await Promise.all([
      call('job:list', {
        filter,
        sort: order,
        beforeKey: null,
        // While words are entered, each row needs a snippet, and the next letter starts another search.
        limit: filter.text === '' ? pageSize : rowsThatFit(),
      }),
      sort === null && filter.view === 'all' && !needsEngine(filter)
        ? call('job:list', { filter: { ...filter, view: 'active' }, sort: order, beforeKey: null, limit: largestPage })
        : null,
    ]);
    this.#parts.onAnswer();
    if (mine !== this.#generation) return this.#endRead(filter, false);
    if (!page.ok) {
      this.#endRead(filter, false);
      this.#parts.onRead({ status: 'failed', problem: page.failure });
      return;
    }
    if (tries > 1 && live?.ok === true && hasEndedBetween(page.value, live.value)) {
      this.#endRead(filter, false);
      return this.load(filter, sort, tries - 1);
    }
    const isSameFilterShown = isSameFilter(filter, this.#shownFilter);
    const further =
      isSameFilterShown && isSameSort(order, this.#sort) ? await this.#readFurther(filter, order, page.value) : [];
    if (mine !== this.#generation) return this.#endRead(filter, false);
    const last = further.at(-1) ?? page.value;
    const isSameList = isSameFilterShown && order === null && this.#sort === null;
    this.#rowsVersion += 1;
    this.#rowsRead = 0;
    this.#sort = order;
    this.#isByRow = isByRow;
    this.#shownFilter = filter;
    if (isSameList) this.#list.clearToReadAgain();
    else this.#list.clear();
    this.#list.setOrdered(sort !== null);
    this.#list.setOldestFirst(isByRow);
    this.#readAtRevision.clear();
    this.#addPage(live?.ok === true ? withLaterStates(page.value, live.value) : page.value);
    for (const one of further) this.#addPage(one);
    this.#nextAll = last.nextBeforeKey;
    this.#nextLive = null;
    if (live !== null) this.#addLive(orReport(live));
    this.#list.setLoadedDownTo(this.#keyLoadedDownTo());
    // Deleted since, or about to be: the list leaves them out.
    const all = [page.value, ...further];
    const deleted = all.flatMap(({ jobs }) => jobs).filter(({ key }) => this.#list.get(key) === undefined).length;
    const read = countOf(this.#list);
    this.#endRead(filter, true);
    this.#parts.onCounts(page.value.counts);
    if (live?.ok === true) this.#parts.onCounts(live.value.counts);
    // What came after the page of all jobs, which does not count it: with the page of the live ones, and as changes.
    const between = live?.ok === true ? submittedBetween(page.value, live.value, isByRow) : 0;
    const since = between + countOf(this.#list) - read;
    this.#parts.onRead({
      status: 'ready',
      problem: null,
      shownFilter: filter,
      total: page.value.total + since - deleted,
      isTotalCut: page.value.isTotalCut,
      allTotal: page.value.allTotal + since - deleted,
      snippets: all.reduce<ListFacts['snippets']>((read, { snippets }) => ({ ...read, ...snippets }), {}),
      hasMore: this.#nextAll !== null,
      shownSort: sort,
    });
  }

  /** The pages after the first one, as far down as the list on screen was read. Fewer if one cannot be read. */
  async #readFurther(filter: JobFilter, sort: JobSort | null, first: JobPage): Promise<JobPage[]> {
    const mine = this.#generation;
    const further: JobPage[] = [];
    let rows = first.jobs.length;
    for (let before = first.nextBeforeKey; before !== null; before = further.at(-1)?.nextBeforeKey ?? null) {
      const missing = Math.min(mostReadAgain, this.#rowsRead) - rows;
      if (missing <= 0) break;
      const limit = Math.min(largestPage, missing);
      const page = await call('job:list', { filter, sort, beforeKey: before, limit });
      this.#parts.onAnswer();
      if (mine !== this.#generation || !page.ok) break;
      further.push(page.value);
      rows += page.value.jobs.length;
    }
    return further;
  }

  /**
   * Reads the next page of the rows on screen; nothing if there is none. While one is being read, that is the next one.
   * `wanted`: the filter if there are no rows yet. `snippets` are those of the pages before. `isForAll`: all pages are
   * wanted, so that they are large.
   */
  loadMore(wanted: JobFilter, snippets: () => ListFacts['snippets'], isForAll: boolean): Promise<MorePages> {
    if (this.#loadingMore === null && this.#isAtEnd()) return Promise.resolve('none');
    this.#loadingMore ??= this.#readNext(wanted, snippets, isForAll);
    return this.#loadingMore;
  }

  #isAtEnd(): boolean {
    return this.#nextLive === null && this.#nextAll === null;
  }

  async #readNext(wanted: JobFilter, snippets: () => ListFacts['snippets'], isForAll: boolean): Promise<MorePages> {
    const filter = this.filterOfRows(wanted);
    const mine = this.#rowsVersion;
    const isLivePage = this.#nextLive !== null;
    this.#reads += 1;
    const page = await call(
      'job:list',
      isLivePage
        ? {
            filter: { ...filter, view: 'active' },
            sort: this.#sort,
            beforeKey: this.#nextLive,
            limit: largestPage,
          }
        : { filter, sort: this.#sort, beforeKey: this.#nextAll, limit: isForAll ? largestPage : pageSize },
    );
    this.#parts.onAnswer();
    orReport(page);
    if (page.ok && mine !== this.#rowsVersion && !this.#isAtEnd()) {
      // Other rows took the place of those it continues. The next page of these is still wanted.
      this.#endRead(filter, false);
      return this.#readNext(wanted, snippets, isForAll);
    }
    // Before the page is reported, because the next one may be asked for at that moment.
    this.#loadingMore = null;
    if (mine !== this.#rowsVersion || !page.ok) {
      this.#endRead(filter, false);
      return page.ok ? 'none' : 'failed';
    }
    if (isLivePage) this.#addLive(page);
    else {
      this.#addPage(page.value);
      this.#nextAll = page.value.nextBeforeKey;
      this.#list.setLoadedDownTo(this.#keyLoadedDownTo());
    }
    this.#endRead(filter, true);
    this.#parts.onRead({ hasMore: this.#nextAll !== null, snippets: { ...snippets(), ...page.value.snippets } });
    return 'read';
  }

  /** The filter of the rows on screen: until those of `wanted` are read, that of the ones before. */
  filterOfRows(wanted: JobFilter): JobFilter {
    return this.#shownFilter ?? wanted;
  }

  /** Empties the list for another connection. */
  clear(): void {
    this.#list.clear();
    this.#shownFilter = null;
    this.#rowsVersion += 1;
    [this.#nextAll, this.#nextLive] = [null, null];
  }

  /** Whether a later page may have this job, as far as the order of the list says. */
  mayFollow(key: string): boolean {
    if (this.#nextAll === null || this.#list.get(key) !== undefined) return false;
    if (this.#sort !== null && !this.#isByRow) return false;
    return this.#lastKey === null || (this.#isByRow ? key > this.#lastKey : key < this.#lastKey);
  }

  /**
   * Applies changed jobs to the list, and afterwards to the pages that are being read, with the filter of these.
   * `revision` is that of the counts that came with the change.
   */
  apply(jobs: readonly Job[], filter: JobFilter, revision: number): void {
    const changed = jobs.map((job) => ({ job, revision }));
    if (this.#reads > 0) for (const one of changed) this.#changedMeanwhile.set(one.job.key, one);
    this.#applyNewer(changed, this.filterOfRows(filter));
  }

  #applyNewer(changed: readonly ChangedJob[], filter: JobFilter): void {
    const newer = changed.filter(({ job, revision }) => revision >= (this.#readAtRevision.get(job.key) ?? 0));
    const jobs = newer.map(({ job }) => job);
    this.#list.apply(jobs, filter, startOfDay(engineNow()));
  }

  /** A list in an order of its own has no such key. */
  #keyLoadedDownTo(): string | null {
    if (this.#isByRow) return this.#nextAll === null ? null : this.#lastKey;
    return this.#sort === null ? this.#nextAll : null;
  }

  #addPage({ jobs, counts }: Pick<JobPage, 'jobs' | 'counts'>): void {
    this.#list.addPage(jobs);
    this.#noteRead(jobs, counts.revision);
    this.#rowsRead += jobs.length;
    this.#lastKey = jobs.at(-1)?.key ?? this.#lastKey;
  }

  #addLive(page: { ok: true; value: JobPage } | { ok: false }): void {
    if (!page.ok) return;
    const { jobs, counts } = page.value;
    this.#list.addPage(jobs);
    this.#noteRead(jobs, counts.revision);
    this.#nextLive = page.value.nextBeforeKey;
  }

  #noteRead(jobs: readonly Job[], revision: number): void {
    for (const { key } of jobs) this.#readAtRevision.set(key, Math.max(revision, this.#readAtRevision.get(key) ?? 0));
  }

  #endRead(filter: JobFilter, isTaken: boolean): void {
    this.#reads -= 1;
    if (isTaken) this.#applyNewer([...this.#changedMeanwhile.values()], filter);
    if (this.#reads === 0) this.#changedMeanwhile.clear();
  }
}

/** The page of all jobs with those that are live as the later page has them: the counts are as of then too. */
function withLaterStates(all: JobPage, live: JobPage): Pick<JobPage, 'jobs' | 'counts'> {
  if (live.counts.revision < all.counts.revision) return all;
  const later = new Map(live.jobs.map((job) => [job.key, job]));
  return { jobs: all.jobs.map((job) => later.get(job.key) ?? job), counts: all.counts };
}

/** Whether a job is live on a page of all jobs and not on the page of the live ones, which was read after it. */
function hasEndedBetween(all: JobPage, live: JobPage): boolean {
  if (live.nextBeforeKey !== null) return false;
  const keys = new Set(live.jobs.map(({ key }) => key));
  return all.jobs.some((job) => isLive(job) && !keys.has(job.key));
}

function isSameSort(one: JobSort | null, other: JobSort | null): boolean {
  return one?.column === other?.column && one?.isDescending === other?.isDescending;
}

/** The jobs of a list, drawn or waiting to be. */
export function countOf(list: JobListView): number {
  return list.live().length + list.rest().length + list.waiting();
}

/**
 * How many jobs of the page of the live ones were submitted after the page of all jobs was read, which does not count
 * them. `isByRow`: the page is oldest first.
 */
function submittedBetween(all: JobPage, live: JobPage, isByRow: boolean): number {
  const keys = new Set(all.jobs.map(({ key }) => key));
  const [first] = all.jobs;
  const isLater = (key: string): boolean =>
    all.nextBeforeKey === null || (!isByRow && first !== undefined && key > first.key);
  return live.jobs.filter(({ key }) => !keys.has(key) && isLater(key)).length;
}
