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
  const found = yield* diffSteps(cut(from, isShort), cut(to, isShort));
  const parts = joined(isShort ? withoutGaps(found) : found);
  const changes = parts.filter(
    ({ kind }, at) => kind !== 'same' && (at === 0 || parts[at - 1]?.kind === 'same'),
  ).length;
  const shown = isShort ? parts : parts.flatMap((part, at) => around(part, at === 0, at === parts.length - 1));
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

function cut(text: string, isShort: boolean): string[] {
  return isShort ? wordsOf(text) : text.split(/(?<=\n)/);
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

/** Joins adjacent parts of the same kind. */
function joined(parts: readonly DiffPart[]): DiffPart[] {
  const result: { kind: DiffPart['kind']; texts: string[] }[] = [];
  for (const { kind, text } of parts) {
    const last = result.at(-1);
    if (last?.kind === kind) last.texts.push(text);
    else result.push({ kind, texts: [text] });
  }
  return result.map(({ kind, texts }) => ({ kind, text: texts.join('') }));
}

/** Leaves out the inner lines of a long equal part: those next to a change remain. */
function around(part: DiffPart, isFirst: boolean, isLast: boolean): TextPart[] {
  if (part.kind !== 'same') return [part];
  const lines = part.text.split(/(?<=\n)/);
  const [head, tail] = [isFirst ? 0 : context, isLast ? 0 : context];
  if (lines.length <= head + tail + 1) return [part];
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
