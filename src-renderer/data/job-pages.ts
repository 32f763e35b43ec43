import type { Failure } from '../../src-preload/failure.ts';
import type { AllJobCounts, JobFilter, JobPage, JobSort } from '../../src-preload/history.ts';
import type { Job } from '../../src-preload/job.ts';
import { call } from '../bridge.ts';
import { orSay } from '../call-or-say.ts';
import { startOfDay } from '../design/format.ts';
import { isOfEngine } from './job-filter.ts';
import type { JobList } from './job-list.ts';

/** What is known of the list beside its jobs. */
export interface ListFacts {
  /** `first` until the first answer for this connection. */
  status: 'first' | 'ready' | 'failed';
  problem: Failure | null;
  /** What the rows that are shown were asked with; null before the first. */
  shownFilter: JobFilter | null;
  /** How many match, and how many there are without the filter. */
  total: number;
  /** There are more than `total`. */
  isTotalCut: boolean;
  allTotal: number;
  snippets: Readonly<Record<string, string>>;
  hasMore: boolean;
  /** The order of the rows that are shown; null: newest first. */
  shownSort: JobSort | null;
}

const pageSize = 200;
/** Of words being typed: each row has a text cut out for it, and the next letter asks anew. */
const searchPageSize = 60;
const livePageSize = 500;

/** The rows of a batch, as they were made. */
const oldestFirst: JobSort = { column: 'created', isDescending: false };

/** Whether a list without an order of its own is by row: that of a batch, as long as it is not searched. */
export function isReadByRow(filter: JobFilter): boolean {
  return filter.batchId !== null && !isOfEngine(filter);
}

/** Reads the jobs of a filter into a list, page after page. Live jobs are read apart: they stand on top. */
export class JobPages {
  readonly #list: JobList;
  readonly #onRead: (facts: Partial<ListFacts>) => void;
  readonly #onCounts: (counts: AllJobCounts) => void;
  #asked = 0;
  #isLoadingMore = false;
  #nextLive: string | null = null;
  #nextAll: string | null = null;
  #sort: JobSort | null = null;
  #isByRow = false;
  /** The last job of the pages read so far. */
  #lastKey: string | null = null;
  /** Reads under way, and what changed meanwhile: a page read before a change must not undo it. */
  #reads = 0;
  readonly #changedMeanwhile = new Map<string, Job>();

  /** `onCounts` takes the counts that belong to what was read, before `onRead` has it drawn. */
  constructor(list: JobList, onRead: (facts: Partial<ListFacts>) => void, onCounts: (counts: AllJobCounts) => void) {
    this.#list = list;
    this.#onRead = onRead;
    this.#onCounts = onCounts;
  }

  /** Reads the first pages anew. A later read has precedence. */
  async load(filter: JobFilter, sort: JobSort | null): Promise<void> {
    const mine = (this.#asked += 1);
    this.#reads += 1;
    // Rows of a batch were made in their order.
    const isByRow = sort === null && isReadByRow(filter);
    const order = isByRow ? oldestFirst : sort;
    const [page, live] = await Promise.all([
      call('job:list', { filter, sort: order, beforeKey: null, limit: filter.text === '' ? pageSize : searchPageSize }),
      sort === null && filter.view === 'all' && !isOfEngine(filter)
        ? call('job:list', { filter: { ...filter, view: 'active' }, sort: order, beforeKey: null, limit: livePageSize })
        : null,
    ]);
    if (mine !== this.#asked) return this.#endRead(filter, false);
    if (!page.ok) {
      this.#endRead(filter, false);
      this.#onRead({ status: 'failed', problem: page.failure });
      return;
    }
    this.#sort = order;
    this.#isByRow = isByRow;
    this.#list.clear();
    this.#list.setOrdered(sort !== null);
    this.#list.setOldestFirst(isByRow);
    this.#addPage(page.value.jobs);
    this.#nextAll = page.value.nextBeforeKey;
    this.#nextLive = null;
    if (live !== null) this.#addLive(orSay(live));
    this.#list.setLoadedDownTo(this.#keyLoadedDownTo());
    this.#endRead(filter, true);
    this.#onCounts(page.value.counts);
    if (live?.ok === true) this.#onCounts(live.value.counts);
    this.#onRead({
      status: 'ready',
      problem: null,
      shownFilter: filter,
      total: page.value.total,
      isTotalCut: page.value.isTotalCut,
      allTotal: page.value.allTotal,
      snippets: page.value.snippets,
      hasMore: this.#nextAll !== null,
      shownSort: sort,
    });
  }

  /** Reads the next page, if there is one and it is not being read. `snippets` are those there are already. */
  async loadMore(filter: JobFilter, snippets: () => ListFacts['snippets']): Promise<void> {
    if (this.#isLoadingMore || (this.#nextLive === null && this.#nextAll === null)) return;
    this.#isLoadingMore = true;
    const mine = this.#asked;
    const isLivePage = this.#nextLive !== null;
    this.#reads += 1;
    const page = await call(
      'job:list',
      isLivePage
        ? {
            filter: { ...filter, view: 'active' },
            sort: this.#sort,
            beforeKey: this.#nextLive,
            limit: livePageSize,
          }
        : { filter, sort: this.#sort, beforeKey: this.#nextAll, limit: pageSize },
    );
    this.#isLoadingMore = false;
    orSay(page);
    if (mine !== this.#asked || !page.ok) return this.#endRead(filter, false);
    if (isLivePage) this.#addLive(page);
    else {
      this.#addPage(page.value.jobs);
      this.#nextAll = page.value.nextBeforeKey;
      this.#list.setLoadedDownTo(this.#keyLoadedDownTo());
    }
    this.#endRead(filter, true);
    this.#onRead({ hasMore: this.#nextAll !== null, snippets: { ...snippets(), ...page.value.snippets } });
  }

  /** Applies jobs that changed: to the list, and after it to the pages that are being read. */
  apply(jobs: readonly Job[], filter: JobFilter): void {
    if (this.#reads > 0) for (const job of jobs) this.#changedMeanwhile.set(job.key, job);
    this.#list.apply(jobs, filter, startOfDay(Date.now()));
  }

  /** In an order of its own a list has no such key. */
  #keyLoadedDownTo(): string | null {
    if (this.#isByRow) return this.#nextAll === null ? null : this.#lastKey;
    return this.#sort === null ? this.#nextAll : null;
  }

  #addPage(jobs: readonly Job[]): void {
    this.#list.addPage(jobs);
    this.#lastKey = jobs.at(-1)?.key ?? this.#lastKey;
  }

  #addLive(page: { ok: true; value: JobPage } | { ok: false }): void {
    if (!page.ok) return;
    this.#list.addPage(page.value.jobs);
    this.#nextLive = page.value.nextBeforeKey;
  }

  #endRead(filter: JobFilter, isTaken: boolean): void {
    this.#reads -= 1;
    if (isTaken) this.#list.apply([...this.#changedMeanwhile.values()], filter, startOfDay(Date.now()));
    if (this.#reads === 0) this.#changedMeanwhile.clear();
  }
}
