import type { EndpointCost, ViewCost } from '../../../src-preload/cost.ts';
import {
  type AllJobCounts,
  type EarlierInput,
  type JobFilter,
  type JobKeys,
  type JobPage,
  type JobSort,
  type JobTotal,
  type TagInUse,
  maxSelected,
} from '../../../src-preload/history.ts';
import { type ExportPage, type WrittenPage, datasetOf, writeExportPage } from '../export/write-page.ts';
import { readLabels, readTags } from '../jobs/judgements.ts';
import { readCostOfFilter } from '../list/costs.ts';
import { listInputs, countJobs, keysOfFilter, listJobs } from '../list/list.ts';
import { type CallContext, searched } from './call-context.ts';

/** All jobs that match a filter: listed, counted, summed, exported. */
export const listOperations = {
  list: (
    on: CallContext,
    filter: JobFilter,
    beforeKey: string | null,
    limit: number,
    sort: JobSort | null = null,
  ): JobPage =>
    searched(on, filter, () => ({
      ...listJobs(on.db, filter, { beforeKey, limit, sort, startOfTodayMs: on.startOfTodayMs }),
      counts: on.counter.read(on.startOfTodayMs),
    })),
  /** The different inputs of the jobs that match, by the newest run of each. */
  inputs: (on: CallContext, filter: JobFilter, limit: number): EarlierInput[] =>
    searched(on, filter, () => listInputs(on.db, filter, limit, on.startOfTodayMs)),
  countJobs: (on: CallContext, filter: JobFilter): JobTotal =>
    searched(on, filter, () => countJobs(on.db, filter, on.startOfTodayMs)),
  /** The keys of all matching jobs, newest first. */
  keys: (on: CallContext, filter: JobFilter): JobKeys =>
    searched(on, filter, () => keysOfFilter(on.db, filter, maxSelected, on.startOfTodayMs)),
  counts: ({ counter, startOfTodayMs }: CallContext): AllJobCounts => counter.read(startOfTodayMs),
  /** The tags in use, the most frequent first. */
  tags: ({ db }: CallContext, max: number): TagInUse[] => readTags(db, max),
  /** The labels in use, the most frequent first. */
  labels: ({ db }: CallContext, max: number): string[] => readLabels(db, max),
  /**
   * The cost of the jobs that match the filter by the endpoints' rates; of the newest `maxJobs` if more must be read
   * individually.
   */
  costOfFilter: (
    on: CallContext,
    filter: JobFilter,
    costs: Pick<EndpointCost, 'connectionId' | 'endpointId' | 'rates'>[],
    maxJobs: number,
  ): ViewCost =>
    searched(on, filter, () =>
      readCostOfFilter(on.db, filter, costs, { nowMs: on.nowMs, startOfTodayMs: on.startOfTodayMs, maxJobs }),
    ),
  /** Jobs as lines of a dataset, as many as fit into the clipboard. */
  dataset: ({ db }: CallContext, keys: string[], maxChars: number): { text: string; jobs: number } =>
    datasetOf(db, keys, maxChars),
  /** Appends the next page of an export to a file, which must be where the history is: nothing is saved meanwhile. */
  writeExportPage(on: CallContext, page: ExportPage): WrittenPage {
    const write = (): WrittenPage => writeExportPage(on.db, page, on);
    return page.source.kind === 'filter' ? searched(on, page.source.filter, write) : write();
  },
};
