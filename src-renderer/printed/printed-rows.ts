import type { JobPrinted, JobPrintedLine, PrintedLine, PrintedStream } from '../../src-preload/printed.ts';

/** A row of a list of printed lines. */
export type PrintedRow =
  | {
      kind: 'line';
      id: number;
      atMs: number;
      stream: PrintedStream;
      text: string;
      cutChars: number;
      /** Where it was printed, if the list shows that. */
      from: { endpointId: string; workerId: string; jobId: string | null } | null;
    }
  /** Lines that were not kept. */
  | { kind: 'gap'; id: number; count: number };

/** The rows of lines of all handlers. */
export function rowsOfLines(lines: readonly PrintedLine[]): PrintedRow[] {
  return lines.map(({ seq, atMs, stream, text, cutChars, endpointId, workerId, jobId }) => ({
    kind: 'line',
    id: seq,
    atMs,
    stream,
    text,
    cutChars,
    from: { endpointId, workerId, jobId },
  }));
}

/** The rows of one job: its first lines, what is missing, its last lines. */
export function rowsOfJob({ head, dropped, tail }: JobPrinted): PrintedRow[] {
  // A line of the tail keeps its number while lines before it are dropped.
  const first = head.length + dropped + 1;
  return [
    ...head.map((line, index) => rowOf(line, index)),
    ...(dropped === 0 ? [] : [{ kind: 'gap' as const, id: head.length, count: dropped }]),
    ...tail.map((line, index) => rowOf(line, first + index)),
  ];
}

function rowOf(line: JobPrintedLine, id: number): PrintedRow {
  return { kind: 'line', id, ...line, from: null };
}

/** The lines as text, as they are copied. */
export function textOfRows(rows: readonly PrintedRow[], gapText: (count: number) => string): string {
  return rows.map((row) => (row.kind === 'line' ? row.text : gapText(row.count))).join('\n');
}

/** The indexes of the rows whose text contains `wanted`, whatever its case. None for an empty text. */
export function matchesIn(rows: readonly PrintedRow[], wanted: string): number[] {
  const sought = wanted.toLowerCase();
  if (sought === '') return [];
  return rows.flatMap((row, index) => (row.kind === 'line' && row.text.toLowerCase().includes(sought) ? [index] : []));
}
