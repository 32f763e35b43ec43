const controlNames: Readonly<Record<string, string>> = {
  '\\t': 'A tab',
  '\\n': 'A line break',
  '\\r': 'A line break',
};

/** What makes a text invalid JSON, in a sentence or two. */
export const jsonProblemText = {
  notJson: 'This is not JSON.',
  empty: 'There is no JSON here yet.',
  complete: 'The JSON is complete before this. Only one value is allowed.',
  completeBefore: (char: string): string => `The JSON is complete before this ${char}`,

  valueBefore: (char: string): string => `Expected a value before this ${char}.`,
  valueBeforeComma: 'Expected a value before this comma.',
  valueFound: (char: string): string => `Expected a value, found ${char}`,
  valueMeant: (literal: string): string => `Expected a value. Did you mean ${literal}?`,
  valueUnquoted: 'Expected a value. Strings use double quotes.',
  valueAtEnd: 'The text ends where a value is expected.',
  number: (word: string): string => `${word} is not a valid JSON number.`,
  numberMeant: (word: string, number: string): string => `${word} is not a valid JSON number. Did you mean ${number}?`,

  keyBeforeComma: 'Expected a key before this comma.',
  keyFound: (char: string): string => `Expected a key in double quotes, found ${char}`,
  keyUnquoted: 'Expected a key in double quotes.',
  keyWithoutValue: 'This key has no value. Expected a colon and a value after it.',
  colon: 'Expected a colon between key and value.',

  comma: 'Expected a comma before this.',
  commaOr: (closer: string): string => `Expected a comma or ${closer}.`,
  commaOrFound: (closer: string, char: string): string => `Expected a comma or ${closer}, found ${char}`,
  /** `before` is null at the end of the text. */
  trailingComma: (before: string | null): string => `Nothing follows this comma before ${before ?? 'the end'}.`,
  wrongCloser: (closer: string, opener: string, line: number): string =>
    `Expected ${closer} here: it closes the ${opener} of line ${line}.`,
  neverClosed: (opener: string, line: number): string => `The ${opener} of line ${line} is never closed.`,

  openString: 'This string has no closing ".',
  curlyQuotes: 'Strings use straight double quotes.',
  unicodeEscape: '\\u takes exactly four hexadecimal digits.',
  unknownEscape: (char: string): string =>
    `\\${char} is not an escape that JSON knows. A backslash itself is written \\\\.`,
  rawControl: (escape: string): string =>
    `${controlNames[escape] ?? 'A control character'} is not allowed inside a string. Close the string with ", or ` +
    `write it as ${escape}.`,

  comment: 'JSON has no comments.',
  invisible: 'There is an invisible character here.',
  oddSpace: 'There is a special space here. JSON allows only ordinary ones.',
};

/** The button that solves a problem. */
export const jsonFixText = {
  start: 'Start with {}',
  add: (text: string): string => `Add ${text}`,
  addColon: 'Add the colon',
  addComma: 'Add the comma',
  addQuote: 'Add the closing "',
  close: 'Close it',
  escapeBackslash: 'Write the backslash as \\\\',
  quote: 'Put it in double quotes',
  remove: 'Remove it',
  removeChar: (char: string): string => `Remove the ${char}`,
  removeComma: 'Remove the comma',
  removeComment: 'Remove the comment',
  replaceWith: (text: string): string => `Replace with ${text}`,
  replaceWithComma: 'Replace with a comma',
  replaceWithSpace: 'Replace with a space',
  replaceQuotes: 'Replace the quotes',
  writeAs: (escape: string): string => `Write it as ${escape}`,
};
