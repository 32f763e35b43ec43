import type { RuleResult } from './suite.ts';
import type { Dialect } from './service.ts';

export interface Tally {
  pass: number;
  fail: number;
  'not observable': number;
}

export function emptyTally(): Tally {
  return { pass: 0, fail: 0, 'not observable': 0 };
}

/** One line: verdict, rule, what the specification says, where, and what was seen. */
export function lineOf({ rule, verdict }: RuleResult, dialect: Dialect): string {
  const expected = dialect === 'observed' && rule.observed !== undefined ? `expected by dialect: ${rule.observed}` : '';
  const detail = [expected, verdict.detail].filter((part) => part !== '').join(' ');
  return `${verdict.verdict}  ${rule.id}  ${rule.says}  (${rule.source})${detail === '' ? '' : `  ${detail.replace(/\s+/g, ' ')}`}`;
}

/** The same as one JSON object. */
export function jsonOf({ rule, verdict }: RuleResult, dialect: Dialect): string {
  const { id, says, source, observed } = rule;
  const expected = dialect === 'observed' && observed !== undefined ? { expectedByDialect: observed } : {};
  return JSON.stringify({ rule: id, verdict: verdict.verdict, says, source, ...expected, detail: verdict.detail });
}

export function summaryOf(tally: Tally, dialect: Dialect): string {
  const { pass, fail } = tally;
  return `${pass + fail + tally['not observable']} rules, dialect ${dialect}: ${pass} pass, ${fail} fail, ${tally['not observable']} not observable`;
}
