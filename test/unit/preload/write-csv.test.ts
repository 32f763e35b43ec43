import { describe, expect, it, test } from 'vitest';
import { csvField, csvRecord } from '../../../src-preload/write-csv.ts';

test.each(['=1+1', '+1', '-tag', '@SUM(A1)', '\tcmd', '\rcmd', '\n=1', '＝1+1', '＋1', '－1', '＠x'])(
  '%j is not a formula in a spreadsheet',
  (text) => {
    const [cell = ''] = csvRecord([text]).split('\r\n');
    expect(cell.replace(/^"/, '').startsWith("'")).toBe(true);
  },
);

test('a text with a separator, a quote or a line break is quoted (RFC 4180)', () => {
  expect(csvRecord(['a,b', 'say "x"', 'one\ntwo', 'plain'])).toBe('"a,b","say ""x""","one\ntwo",plain\r\n');
});

test('a formula with a separator is both', () => {
  expect(csvRecord(['=HYPERLINK("a",1)'])).toBe('"\'=HYPERLINK(""a"",1)"\r\n');
});

test('numbers, flags and unknown values are unchanged', () => {
  expect(csvRecord([-1.5, 0, true, null, ''])).toBe('-1.5,0,true,,\r\n');
});

describe('a field of a CSV file', () => {
  it.each([
    ['=HYPERLINK("a")', `"'=HYPERLINK(""a"")"`],
    ['+1', "'+1"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    [' =1', "' =1"],
    ['\t=1', "'\t=1"],
    ['two\nlines', '"two\nlines"'],
    ['a,b', '"a,b"'],
    ['plain - text', 'plain - text'],
  ])('%j is written so that no spreadsheet runs or splits it', (given, written) => {
    expect(csvField(given)).toBe(written);
  });
});
