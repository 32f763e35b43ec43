import { jsonFixText, jsonProblemText } from './messages/json-check.ts';

/** A change of the text that solves one problem: replaces `from`..`to` (UTF-16 offsets) with `text`. */
interface JsonFix {
  from: number;
  to: number;
  text: string;
  /** The label of the button, such as "Replace with true". */
  label: string;
}

/** The first problem that makes a text invalid JSON. */
interface JsonProblem {
  /** From 1. Lines end with LF, CRLF or CR, as editors count them. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  /** UTF-16 offset where the offending token starts. */
  offset: number;
  /** A sentence or two for the user. */
  reason: string;
  fix?: JsonFix;
}

export type JsonCheck = { ok: true; value: unknown } | ({ ok: false } & JsonProblem);

/**
 * Reads `text` as JSON. It accepts exactly what JSON.parse does, and says where and why a text is invalid. Never
 * throws.
 */
export function checkJson(text: string): JsonCheck {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    const finding = findFirst(text) ?? { offset: 0, reason: jsonProblemText.notJson };
    return { ok: false, ...positionOf(text, finding.offset), ...finding };
  }
}

/** Line and column (both from 1) of a UTF-16 offset. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < offset; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 10 || (unit === 13 && text.charCodeAt(at + 1) !== 10)) {
      line += 1;
      lineStart = at + 1;
    }
  }
  return { line, column: offset - lineStart + 1 };
}

interface Finding {
  offset: number;
  reason: string;
  fix?: JsonFix;
}

/** What the grammar allows next. */
type Expected = 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'colon' | 'comma-or-close' | 'end';
/** An opening bracket and its place. */
interface Open {
  bracket: '{' | '[';
  offset: number;
}
interface Place {
  text: string;
  at: number;
  expected: Expected;
  stack: Open[];
  /** The start and end of the last token. */
  lastEnd: number;
  lastStart: number;
}

const whole = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const space = /[ \t\n\r]*/y;
const oddSpace = /^[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff\v\f]/;
/** A run of characters without a meaning of their own in JSON. */
const bare = /[^\s,:{}[\]"'“”‘’/#;=\\]+/y;

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** Follows the grammar without recursion, so that depth does not matter, as in JSON.parse. */
function findFirst(text: string): Finding | null {
  const place: Place = { text, at: 0, expected: 'value', stack: [], lastEnd: 0, lastStart: 0 };
  for (;;) {
    place.at += matchAt(space, text, place.at).length;
    if (place.at >= text.length) return place.expected === 'end' ? null : atTextEnd(place);
    const start = place.at;
    const finding = step(place);
    if (finding !== null) return finding;
    place.lastStart = start;
    place.lastEnd = place.at;
  }
}

/** Reads one token, or returns what is wrong with it. */
function step(place: Place): Finding | null {
  const { text, at, expected } = place;
  const char = text[at] ?? '';
  switch (expected) {
    case 'value':
    case 'value-or-close':
      if (char === ']' && expected === 'value-or-close') return close(place);
      return value(place, char);
    case 'key':
    case 'key-or-close':
      if (char === '}' && expected === 'key-or-close') return close(place);
      if (char !== '"') return wrongKey(place, char);
      return string(place, 'colon');
    case 'colon':
      if (char !== ':') return wrongColon(place, char);
      return advance(place, 1, 'value');
    case 'comma-or-close': {
      const open = place.stack.at(-1);
      if (char === ',') return advance(place, 1, open?.bracket === '{' ? 'key' : 'value');
      if (char === closerOf(open)) return close(place);
      return wrongAfterValue(place, char, open);
    }
    case 'end':
      break;
  }
  return wrongAtEnd(place, char);
}

function advance(place: Place, by: number, expected: Expected): null {
  place.at += by;
  place.expected = expected;
  return null;
}

function close(place: Place): null {
  place.stack.pop();
  return advance(place, 1, afterValue(place));
}

function afterValue(place: Place): Expected {
  return place.stack.length === 0 ? 'end' : 'comma-or-close';
}

function closerOf(open: Open | undefined): string {
  return open?.bracket === '{' ? '}' : ']';
}

function value(place: Place, char: string): Finding | null {
  if (char === '"') return string(place, afterValue(place));
  if (char === '{' || char === '[') {
    place.stack.push({ bracket: char, offset: place.at });
    return advance(place, 1, char === '{' ? 'key-or-close' : 'value-or-close');
  }
  const word = matchAt(bare, place.text, place.at);
  if (word === 'true' || word === 'false' || word === 'null') return advance(place, word.length, afterValue(place));
  if (word !== '' && matchAt(whole, place.text, place.at) === word)
    return advance(place, word.length, afterValue(place));
  return wrongValue(place, char, word);
}

/** The inside of a string. `place` is at its opening quote. */
function string(place: Place, next: Expected): Finding | null {
  const { text } = place;
  for (let at = place.at + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 34) return advance(place, at + 1 - place.at, next);
    if (unit < 32) return rawControl(at, unit);
    if (unit !== 92) continue;
    const escaped = text[at + 1] ?? '';
    if (escaped === 'u' && !/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) {
      return {
        offset: at,
        reason: jsonProblemText.unicodeEscape,
        fix: replace(at, at + 1, '\\\\', jsonFixText.escapeBackslash),
      };
    }
    if (escaped === '' || !'"\\/bfnrtu'.includes(escaped)) {
      return {
        offset: at,
        reason: jsonProblemText.unknownEscape(escaped),
        fix: replace(at, at + 1, '\\\\', jsonFixText.escapeBackslash),
      };
    }
    at += escaped === 'u' ? 5 : 1;
  }
  return {
    offset: place.at,
    reason: jsonProblemText.openString,
    fix: insert(text.length, '"', jsonFixText.addQuote),
  };
}

const shortEscapes: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 13: '\\r' };

function rawControl(at: number, unit: number): Finding {
  const escape = shortEscapes[unit] ?? `\\u${unit.toString(16).padStart(4, '0')}`;
  return {
    offset: at,
    reason: jsonProblemText.rawControl(escape),
    fix: replace(at, at + 1, escape, jsonFixText.writeAs(escape)),
  };
}

function wrongValue(place: Place, char: string, word: string): Finding {
  const { text, at, stack } = place;
  const foreign = notJson(text, at, char);
  if (foreign !== null) return foreign;
  if (char === ']' || char === '}') {
    if (text[place.lastStart] === ',') return trailingComma(place, char);
    return { offset: at, reason: jsonProblemText.valueBefore(char) };
  }
  if (char === ',') {
    const isDoubled = stack.at(-1)?.bracket === '[';
    return {
      offset: at,
      reason: jsonProblemText.valueBeforeComma,
      ...(isDoubled ? { fix: replace(at, at + 1, '', jsonFixText.removeComma) } : {}),
    };
  }
  const meant = literalMeant(word);
  if (meant !== null)
    return {
      offset: at,
      reason: jsonProblemText.valueMeant(meant),
      fix: replace(at, at + word.length, meant, jsonFixText.replaceWith(meant)),
    };
  const number = numberMeant(word);
  if (number !== null)
    return {
      offset: at,
      reason: jsonProblemText.numberMeant(word, number),
      fix: replace(at, at + word.length, number, jsonFixText.replaceWith(number)),
    };
  if (/^[-+.]?\d/.test(word) && !/[^\d.eE+-]/.test(word))
    return { offset: at, reason: jsonProblemText.number(shown(word)) };
  if (word === '') return { offset: at, reason: jsonProblemText.valueFound(char) };
  const spoken = matchAt(/[^,{}[\]"'“”‘’:/#;=\r\n\t\\]+/y, text, at).trimEnd();
  return {
    offset: at,
    reason: jsonProblemText.valueUnquoted,
    fix: replace(at, at + spoken.length, JSON.stringify(spoken), jsonFixText.quote),
  };
}

function wrongKey(place: Place, char: string): Finding {
  const { text, at } = place;
  const foreign = notJson(text, at, char);
  if (foreign !== null) return foreign;
  if (char === '}') return trailingComma(place, char);
  if (char === ',')
    return {
      offset: at,
      reason: jsonProblemText.keyBeforeComma,
      fix: replace(at, at + 1, '', jsonFixText.removeComma),
    };
  const word = matchAt(bare, text, at);
  if (word === '') return { offset: at, reason: jsonProblemText.keyFound(char) };
  return {
    offset: at,
    reason: jsonProblemText.keyUnquoted,
    fix: replace(at, at + word.length, JSON.stringify(word), jsonFixText.quote),
  };
}

function wrongColon(place: Place, char: string): Finding {
  const { text, at } = place;
  if (char === '=')
    return {
      offset: at,
      reason: jsonProblemText.colon,
      fix: replace(at, at + (text[at + 1] === '>' ? 2 : 1), ':', jsonFixText.replaceWith(':')),
    };
  const foreign = notJson(text, at, char);
  // A quote here would open the value, but the colon comes first.
  if (foreign !== null && !"'“”‘’".includes(char)) return foreign;
  if (',}]'.includes(char)) return { offset: place.lastStart, reason: jsonProblemText.keyWithoutValue };
  return {
    offset: at,
    reason: jsonProblemText.colon,
    fix: insert(place.lastEnd, ':', jsonFixText.addColon),
  };
}

function wrongAfterValue(place: Place, char: string, open: Open | undefined): Finding {
  const { text, at } = place;
  const closer = closerOf(open);
  if (char === ';')
    return {
      offset: at,
      reason: jsonProblemText.commaOr(closer),
      fix: replace(at, at + 1, ',', jsonFixText.replaceWithComma),
    };
  if (char === '}' || char === ']') {
    return {
      offset: at,
      reason: jsonProblemText.wrongCloser(closer, open?.bracket ?? '', positionOf(text, open?.offset ?? 0).line),
      fix: replace(at, at + 1, closer, jsonFixText.replaceWith(closer)),
    };
  }
  const foreign = notJson(text, at, char);
  if (foreign !== null && !"'“”‘’".includes(char)) return foreign;
  if (char === ':' || char === '=') return { offset: at, reason: jsonProblemText.commaOrFound(closer, char) };
  return { offset: at, reason: jsonProblemText.comma, fix: insert(place.lastEnd, ',', jsonFixText.addComma) };
}

function wrongAtEnd(place: Place, char: string): Finding {
  const { text, at } = place;
  const foreign = notJson(text, at, char);
  if (foreign !== null && !"'“”‘’".includes(char)) return foreign;
  if (',;}]'.includes(char))
    return {
      offset: at,
      reason: jsonProblemText.completeBefore(char),
      fix: replace(at, at + 1, '', jsonFixText.removeChar(char)),
    };
  return { offset: at, reason: jsonProblemText.complete };
}

function atTextEnd(place: Place): Finding {
  const { text, stack, expected } = place;
  if (text.trim() === '')
    return { offset: 0, reason: jsonProblemText.empty, fix: replace(0, text.length, '{}', jsonFixText.start) };
  const open = stack.at(-1);
  if (expected === 'colon') return { offset: place.lastStart, reason: jsonProblemText.keyWithoutValue };
  if (text[place.lastStart] === ':') return { offset: text.length, reason: jsonProblemText.valueAtEnd };
  if (text[place.lastStart] === ',') return trailingComma(place, null);
  const closers = stack.map(closerOf).toReversed().join('');
  const line = positionOf(text, open?.offset ?? 0).line;
  return {
    offset: text.length,
    reason: jsonProblemText.neverClosed(open?.bracket ?? '', line),
    fix: insert(place.lastEnd, closers, closers.length > 12 ? jsonFixText.close : jsonFixText.add(closers)),
  };
}

/** What other notations have and JSON does not, at the place of any token. Null if it is none of these. */
function notJson(text: string, at: number, char: string): Finding | null {
  if (oddSpace.test(char)) {
    const isMark = char === '\ufeff' || char === '\u200b';
    return {
      offset: at,
      reason: isMark ? jsonProblemText.invisible : jsonProblemText.oddSpace,
      fix: replace(at, at + 1, isMark ? '' : ' ', isMark ? jsonFixText.remove : jsonFixText.replaceWithSpace),
    };
  }
  const comment = matchAt(/\/\*[^]*?(?:\*\/|$)|\/\/[^\r\n]*|#[^\r\n]*/y, text, at);
  if (comment !== '')
    return {
      offset: at,
      reason: jsonProblemText.comment,
      fix: replace(at, at + comment.length, '', jsonFixText.removeComment),
    };
  const quoted = matchAt(
    /'[^'\\\r\n]*(?:\\[^\r\n][^'\\\r\n]*)*'|[“”](?:[^“”"\\\r\n])*[“”"]|[‘’][^‘’'\\\r\n]*[‘’']/y,
    text,
    at,
  );
  if (quoted !== '') {
    return {
      offset: at,
      reason: jsonProblemText.curlyQuotes,
      fix: replace(
        at,
        at + quoted.length,
        JSON.stringify(quoted.slice(1, -1).replaceAll("\\'", "'")),
        jsonFixText.replaceQuotes,
      ),
    };
  }
  if ("'“”‘’".includes(char))
    return {
      offset: at,
      reason: jsonProblemText.curlyQuotes,
      fix: replace(at, at + 1, '"', jsonFixText.replaceWith('"')),
    };
  return null;
}

function trailingComma(place: Place, before: string | null): Finding {
  const comma = place.lastStart;
  return {
    offset: comma,
    reason: jsonProblemText.trailingComma(before),
    fix: replace(comma, comma + 1, '', jsonFixText.removeComma),
  };
}

/** The literal that was probably meant: another case, another language, or one typing error. */
function literalMeant(word: string): string | null {
  const lower = word.toLowerCase();
  if (['none', 'nil', 'undefined', 'nan'].includes(lower)) return 'null';
  return (
    ['true', 'false', 'null'].find((literal) => lower === literal || (word.length >= 3 && isOneSlip(lower, literal))) ??
    null
  );
}

/** True if `typed` becomes `meant` by inserting, deleting, replacing or swapping one character. */
function isOneSlip(typed: string, meant: string): boolean {
  let head = 0;
  while (head < typed.length && typed[head] === meant[head]) head += 1;
  const [left, right] = [typed.slice(head), meant.slice(head)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

/** `word` in JSON's notation for numbers. Null if it is not a number in another notation. */
function numberMeant(word: string): string | null {
  const plain = /^([+-]?)0*((?:[1-9]\d*)?)(?:\.(\d*))?((?:[eE][+-]?\d+)?)$/.exec(word);
  if (plain !== null && /\d/.test(word.replace(/[eE].*/, ''))) {
    const [, sign = '', integer = '', fraction = '', exponent = ''] = plain;
    return `${sign === '-' ? '-' : ''}${integer || '0'}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
  }
  return /^0x[0-9a-fA-F]{1,13}$/.test(word) ? String(Number(word)) : null;
}

function replace(from: number, to: number, text: string, label: string): JsonFix {
  return { from, to, text, label };
}

function insert(at: number, text: string, label: string): JsonFix {
  return { from: at, to: at, text, label };
}

function shown(word: string): string {
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}
