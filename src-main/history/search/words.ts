/**
 * How words are compared: without case, accents, width or ligatures. SQLite's unicode61 gets the text after this, so
 * that index, query and snippet cut words at the same places.
 */

/** Separates two texts of a job. A snippet never crosses it. */
export const fieldBorder = '\u0003';

/** Separates two texts in the index: a word that cannot be typed, so that no phrase is found across it. */
export const indexBorder = ' | ';

const picture = String.raw`[\p{Extended_Pictographic}--\p{P}]`;
/**
 * Scripts without spaces, Hangul, whose words have endings attached, and emoji: each character is a word, and a run of
 * them is a phrase.
 */
const singleWord = `${String.raw`Han Hiragana Katakana Hangul Thai Lao Khmer Myanmar`
  .split(' ')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('')}${picture}`;
const singleWords = new RegExp(`[${singleWord}]`, 'gv');
const notWord = new RegExp(String.raw`[^\p{L}\p{N}\p{M}${picture}]+`, 'gv');
const accents = new RegExp(
  String.raw`[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]+`,
  'gu',
);
/** Letters that Unicode does not decompose, and how people type them on other keyboards. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);
const withPlainForm = /[ßæœøłđðþıς]/g;
const beyondAscii = /[\u0080-\uffff]/;

/** The text for the index: folded words separated by a space. */
export function foldText(text: string): string {
  if (!beyondAscii.test(text))
    return text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
  return text
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(accents, '')
    .replace(withPlainForm, (letter) => plainLetters.get(letter) ?? letter)
    .replace(singleWords, ' $& ')
    .replace(notWord, ' ')
    .trim();
}

/**
 * The text for the index's tokenizer, without the folding that the tokenizer does itself (index-file.ts), because that
 * is faster. Its words are those of `foldText`.
 */
export function indexText(text: string): string {
  if (beyondAscii.test(text)) return foldText(text);
  return text.includes('|') ? text.replaceAll('|', ' ') : text;
}

/** The folded words of a text, in order. */
export function foldedWords(text: string): string[] {
  const folded = foldText(text);
  return folded === '' ? [] : folded.split(' ');
}

/** A syllable of Hangul that is written as its letters, as macOS does in file names. */
const syllable = String.raw`[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?`;

/** A word of a text and its place. */
export const wordPattern = new RegExp(
  String.raw`${syllable}|[${singleWord}]|(?:(?![${singleWord}])[\p{L}\p{N}\p{M}])+`,
  'gv',
);

/**
 * Search by part, for ids and code. Their trigrams (all three consecutive letters) are words of the index, so that any
 * part of three letters or more is a phrase of trigrams. They are in the same table as the prose, so that one MATCH
 * searches for each word "in the text or as a part of an id"; a second table with SQLite's own trigram tokenizer would
 * require fetching and intersecting.
 */

/** Shorter parts cannot be found. */
export const partChars = 3;
const maxWordChars = 128;
const maxChars = 6_000;
const candidates = /[\p{L}\p{N}][\p{L}\p{N}_.:/@#$+-]{2,}/gu;
const looksLikeCode = /\p{N}|[_.:/@#$+-]\p{L}|\p{Ll}\p{Lu}/u;

/** An id or a query's word in the form for comparing parts: folded, letters and digits only. */
export function partsForm(word: string): string {
  return foldText(word).replaceAll(' ', '');
}

/** The trigrams of a word in order. Empty if it is too short. */
export function trigramsOf(word: string): string[] {
  const folded = partsForm(word);
  const trigrams: string[] = [];
  if (!beyondAscii.test(folded)) {
    const end = Math.min(folded.length, maxWordChars);
    for (let at = 0; at + partChars <= end; at += 1) trigrams.push(folded.slice(at, at + partChars));
    return trigrams;
  }
  const letters = [...folded].slice(0, maxWordChars);
  for (let at = 0; at + partChars <= letters.length; at += 1) trigrams.push(letters.slice(at, at + partChars).join(''));
  return trigrams;
}

/** The words in a prose that a user might remember a part of: ids, paths, file names, identifiers. */
export function codeWords(text: string): string[] {
  const found = new Set<string>();
  let chars = 0;
  for (const word of beyondAscii.test(text) ? codeOf(text) : plainCodeOf(text)) {
    if (found.has(word)) continue;
    found.add(word);
    chars += Math.min(word.length, maxWordChars);
    if (chars >= maxChars) break;
  }
  return [...found];
}

function* codeOf(text: string): Generator<string> {
  for (const [word] of text.matchAll(candidates)) if (looksLikeCode.test(word)) yield word;
}

const plainCode = /[0-9]|[_.:/@#$+-][A-Za-z]|[a-z][A-Z]/g;
const plainRun = /[A-Za-z0-9_.:/@#$+-]*/y;
const plainCandidate = /[A-Za-z0-9][A-Za-z0-9_.:/@#$+-]{2,}/;

/**
 * As `codeOf`, for ASCII. It searches for the signs that make a word code, and reads only the run around each: prose
 * has few of them, and the words between cost nothing.
 */
function* plainCodeOf(text: string): Generator<string> {
  let from = 0;
  for (;;) {
    plainCode.lastIndex = from;
    const code = plainCode.exec(text);
    if (code === null) return;
    let start = code.index;
    while (start > from && isOfRun(text.charCodeAt(start - 1))) start -= 1;
    plainRun.lastIndex = start;
    const run = plainRun.exec(text)?.[0] ?? '';
    from = start + run.length;
    const word = plainCandidate.exec(run)?.[0];
    if (word !== undefined && looksLikeCode.test(word)) yield word;
  }
}

/** Whether `plainRun` takes this character. */
function isOfRun(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x2d && code <= 0x3a) ||
    (code >= 0x40 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x23 ||
    code === 0x24 ||
    code === 0x2b
  );
}

/** The text for the index of these words, in which no part is found across two of them. */
export function partsText(words: Iterable<string>): string {
  const entries: string[] = [];
  for (const word of new Set(words)) {
    const trigrams = trigramsOf(word);
    if (trigrams.length > 0) entries.push(trigrams.join(' '));
  }
  return entries.join(indexBorder);
}
