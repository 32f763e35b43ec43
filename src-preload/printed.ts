/** Which of its two outputs a handler printed to. */
export type PrintedStream = 'stdout' | 'stderr';

/** A line that a handler of the sandbox printed, or that the sandbox says about it (a failure, a reload). */
export interface PrintedLine {
  /** Ascends over the whole session. A line without an end comes again under its number, with more. */
  seq: number;
  /** When it was begun, real time. */
  atMs: number;
  endpointId: string;
  workerId: string;
  /** The id of the job whose code printed it. Null: it is not certain which, or none did. */
  jobId: string | null;
  stream: PrintedStream;
  /** Without colours and other control sequences. */
  text: string;
  /** How many further characters the line has. */
  cutChars: number;
  /** It has no end yet, such as a progress bar. */
  isOpen: boolean;
}

/** Some of the printed lines. */
export interface PrintedLines {
  /** Nearly by number: a line that comes again is among newer ones. */
  lines: PrintedLine[];
  /** How many further lines are not in `lines`: they came too fast, or are too old. */
  missed: number;
}

/** A line that one job printed. */
export type JobPrintedLine = Pick<PrintedLine, 'atMs' | 'stream' | 'text' | 'cutChars'>;

/** What a job printed: its first and its last lines. */
export interface JobPrinted {
  head: JobPrintedLine[];
  /** How many lines between the two were not kept. */
  dropped: number;
  tail: JobPrintedLine[];
}

/** How much is kept of what all handlers print, in memory and in each window. */
export const printedBounds = { lines: 10_000, chars: 2_000_000 } as const;

/** How many characters of the first and of the last lines of a job are kept. */
const jobPrintedChars = 64_000;

/** What a line counts beyond its text, so that the number of empty ones is limited too. */
const lineCost = 16;

/** The last printed lines. */
export interface PrintedBuffer {
  /** By number, each once. */
  lines: readonly PrintedLine[];
  /** Of all lines together. */
  chars: number;
  /** How many lines are not among them. */
  missed: number;
}

export const emptyPrinted: PrintedBuffer = { lines: [], chars: 0, missed: 0 };

/** The index of the line with this number, or where it belongs. */
function placeOf(lines: readonly PrintedLine[], seq: number): number {
  let from = 0;
  let to = lines.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((lines[middle]?.seq ?? Infinity) < seq) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Adds lines. One that is there already, as far as it went, is replaced. Beyond the bounds the oldest are dropped and
 * counted, even the last one if it alone is too long.
 */
export function addPrinted(buffer: PrintedBuffer, { lines: added, missed }: PrintedLines): PrintedBuffer {
  const lines = [...buffer.lines];
  const firstSeq = buffer.missed === 0 ? -Infinity : (lines[0]?.seq ?? -Infinity);
  let { chars } = buffer;
  for (const line of added) {
    const at = placeOf(lines, line.seq);
    const former = lines[at]?.seq === line.seq ? lines[at] : undefined;
    // It was dropped before it was complete, and counted.
    if (former === undefined && line.seq < firstSeq) continue;
    chars += line.text.length - (former?.text.length ?? 0);
    lines.splice(at, former === undefined ? 0 : 1, line);
  }
  let from = Math.max(0, lines.length - printedBounds.lines);
  for (let index = 0; index < from; index += 1) chars -= lines[index]?.text.length ?? 0;
  for (; chars > printedBounds.chars; from += 1) chars -= lines[from]?.text.length ?? 0;
  return { lines: from === 0 ? lines : lines.slice(from), chars, missed: buffer.missed + missed + from };
}

/** What a job printed in two runs, one after the other, within the bounds of one job. */
export function joinPrinted(former: JobPrinted, later: JobPrinted): JobPrinted {
  const upToGap = [...former.head];
  const afterGap = former.dropped > 0 ? [] : upToGap;
  afterGap.push(...former.tail, ...later.head);
  const last = later.dropped > 0 ? [] : afterGap;
  last.push(...later.tail);
  const head = upToGap.slice(0, countWithin(upToGap));
  const rest = last === upToGap ? upToGap.slice(head.length) : last;
  const tail = rest.slice(rest.length - countWithin([...rest].reverse()));
  const lists = [former.head, former.tail, later.head, later.tail];
  const all = lists.reduce((count, { length }) => count + length, former.dropped + later.dropped);
  return { head, dropped: all - head.length - tail.length, tail };
}

/** How many of the lines, from the first on, are within the bound of a job, as the sandbox counts them. */
function countWithin(lines: readonly JobPrintedLine[]): number {
  let room: number = jobPrintedChars;
  const at = lines.findIndex(({ text }) => {
    room -= text.length + lineCost;
    return room < 0;
  });
  return at === -1 ? lines.length : at;
}
