import { diffSteps, wordsOf, type DiffPart } from '../design/text-diff.ts';
import type { Steps } from '../stream/use-steps.ts';

/** A part of a text beside another one. `left-out`: equal lines that are not shown. */
export type TextPart = DiffPart | { kind: 'left-out'; lines: number };

/** Texts up to this size are compared word by word, longer ones line by line. */
const wordsUpToChars = 40_000;
/** How many equal lines are shown around a change. */
const context = 2;
/** Further parts are not drawn. The jobs themselves show everything. */
const maxParts = 600;
const maxPartChars = 8_000;

export interface TextDiff {
  parts: TextPart[];
  changes: number;
  isCut: boolean;
}

/** Compares a text with the one beside it. */
export function* diffTexts(from: string, to: string): Steps<TextDiff> {
  const isShort = from.length + to.length <= wordsUpToChars;
  const found = isShort
    ? withoutGaps(yield* diffSteps(wordsOf(from), wordsOf(to)))
    : yield* diffSteps(yield* linesOf(from), yield* linesOf(to));
  const runs = yield* runsOf(found);
  const changes = runs.filter(({ kind }, at) => kind !== 'same' && (at === 0 || runs[at - 1]?.kind === 'same')).length;
  const shown = runs.flatMap((run, at) => (isShort ? partOf(run) : around(run, at === 0, at === runs.length - 1)));
  return {
    parts: shown.slice(0, maxParts).map((part) => (part.kind === 'left-out' ? part : shortened(part))),
    changes,
    isCut: shown.length > maxParts || shown.some((part) => part.kind !== 'left-out' && part.text.length > maxPartChars),
  };
}

/** A text that is shown alone. */
export function wholeText(text: string): TextDiff {
  return { parts: [shortened({ kind: 'same', text })], changes: 0, isCut: text.length > maxPartChars };
}

const linesAStep = 1_000;

/** The lines of a text, each with its line break. */
function* linesOf(text: string): Steps<string[]> {
  const lines: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    lines.push(text.slice(at, next));
    at = next;
    if (lines.length % linesAStep === 0) yield;
  }
  return lines;
}

/** A space between two changed words counts as changed, because phrases are easier to read than words. */
function withoutGaps(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let removed: DiffPart[] = [];
  let added: DiffPart[] = [];
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1];
    const isGap = part.kind === 'same' && /^\s+$/.test(part.text) && removed.length + added.length > 0;
    if (part.kind === 'removed') removed.push(part);
    else if (part.kind === 'added') added.push(part);
    else if (isGap && next !== undefined && next.kind !== 'same') {
      removed.push({ kind: 'removed', text: part.text });
      added.push({ kind: 'added', text: part.text });
    } else {
      result.push(...removed, ...added, part);
      [removed, added] = [[], []];
    }
  }
  return [...result, ...removed, ...added];
}

/** Adjacent parts of the same kind. */
interface Run {
  kind: DiffPart['kind'];
  texts: string[];
}

function* runsOf(parts: readonly DiffPart[]): Steps<Run[]> {
  const runs: Run[] = [];
  for (const [at, { kind, text }] of parts.entries()) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.texts.push(text);
    else runs.push({ kind, texts: [text] });
    if (at % linesAStep === 0) yield;
  }
  return runs;
}

/** The texts of a run together, as far as they are shown, and one more if there are any. */
function partOf({ kind, texts }: Run): DiffPart {
  let text = '';
  for (let at = 0; at < texts.length && text.length <= maxPartChars; at += 1) text += texts[at] ?? '';
  return { kind, text };
}

/** Leaves out the inner lines of a long equal run: those next to a change remain. */
function around(run: Run, isFirst: boolean, isLast: boolean): TextPart[] {
  if (run.kind !== 'same') return [partOf(run)];
  const lines = run.texts;
  const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (lines.length <= head + tail + 1) return [partOf(run)];
  const same = (text: string): TextPart[] => (text === '' ? [] : [{ kind: 'same', text }]);
  return [
    ...same(lines.slice(0, head).join('')),
    { kind: 'left-out', lines: lines.length - head - tail },
    ...same(tail === 0 ? '' : lines.slice(-tail).join('')),
  ];
}

function shortened(part: DiffPart): DiffPart {
  return part.text.length <= maxPartChars ? part : { ...part, text: `${part.text.slice(0, maxPartChars)}…` };
}
