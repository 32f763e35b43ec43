import type { Job } from '../../src-main/sandbox/workers/handlers/job.ts';

/**
 * A sandbox handler that streams prose as fast as it is read. Input: `chars` in total, `piece_chars` per chunk. Its
 * lines have many lengths, some far wider than a window, and some are markdown.
 */
export async function* handler({ input }: Job): AsyncGenerator<string> {
  const chars = Number(input['chars'] ?? 1_000_000);
  const pieceChars = Number(input['piece_chars'] ?? 4_096);
  const page = prose(Math.max(65_536, pieceChars * 2));
  for (let sent = 0; sent < chars; sent += pieceChars) {
    const from = sent % (page.length - pieceChars);
    yield page.slice(from, from + Math.min(pieceChars, chars - sent));
  }
}

function prose(chars: number): string {
  const words = [
    'the',
    'queue',
    'held',
    'every',
    'worker',
    'until',
    'a',
    '`lock`',
    'was',
    '**released**',
    'and',
    'jobs',
    'ran',
    'again',
  ];
  let text = '';
  for (let at = 0; text.length < chars; at += 1) {
    const isHead = at % 40 === 0;
    const line = Array.from(
      { length: isHead ? 4 : 6 + ((at * 37) % 60) },
      (_, index) => words[(at * 7 + index * 3) % words.length],
    ).join(' ');
    text += isHead ? `\n## ${line}\n\n` : `${line}.\n${at % 5 === 0 ? '\n' : ''}`;
  }
  return text;
}
