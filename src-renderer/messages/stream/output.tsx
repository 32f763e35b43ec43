import type { ReactNode } from 'react';
import { formatBytes, formatCount, formatDuration } from '../../../src-preload/format.ts';

/** Text that is arriving or complete, such as a job's output. */
export const streamText = {
  search: 'Search in the output',
  output: 'Output text',
  /** Where a link comes from, in the question before it is opened. */
  ownerOfOutput: 'the job’s output',
  note: 'Note',
  ownerOfNote: 'your note',
  jumpToLive: 'Jump to live',
  bytesHidden: (bytes: number): string => `The first ${formatBytes(bytes)} are hidden; Copy output includes them.`,
  linesHidden: (lines: number): string =>
    `The first ${formatCount(lines)} lines are hidden; Copy output includes them.`,
};

/** A search in such a text. */
export const findText = {
  noMatches: 'No matches',
  /** `17`, or `2,000+` where the search stopped. */
  count: (matches: number, isCut: boolean): string => `${formatCount(matches)}${isCut ? '+' : ''}`,
  /** `3 of 17`. */
  place: (match: number, count: string): string => `${formatCount(match)} of ${count}`,
};

/** An image in markdown: it is named but never loaded. */
export const imageText = {
  notLoaded: (link: ReactNode): ReactNode => <>image not loaded: {link}</>,
  noAddress: 'no address',
};

/** The chunks of a stream. */
export const chunksText = {
  chunks: 'Chunks',
  received: 'Received',
  output: 'Output',
  /** A gap that was filled from the job's output (see history/stream/repair-chunks.ts). */
  rebuilt: 'Rebuilt',
  rebuiltHint: 'Rebuilt from the output: this chunk was not received',
  chunk: (seq: number): string => `Chunk ${seq}`,
  copy: 'Copy chunk',
  close: 'Close chunk',
  metrics: 'metrics',
  tooDeep: 'Nested too deeply to format; shown as received.',
};

/** The charts of what a worker reports with its chunks. */
export const instrumentsText = {
  title: 'Worker metrics',
  generation: 'Generation',
  tokensPerSecond: 'tokens/s',
  average: (rate: string): string => `avg ${rate}`,
  firstChunk: (ms: number): string => `first chunk ${formatDuration(ms)}`,
  gpuCache: 'GPU KV cache',
  cpuCache: (percent: string): string => `cpu cache ${percent} %`,
  peak: (percent: string): string => `peak ${percent} %`,
  batch: 'Worker batch',
  running: 'running',
  /** Behind the running ones, where there is room for it. */
  pending: (count: number): string => `, ${count} pending`,
  swapped: (count: number): string => `swapped ${count}`,
  index: (streamIndex: number): string => `index ${streamIndex}`,
};
