import {
  isSameSubject,
  type NotifyChoice,
  type NotifyOutcome,
  type NotifyRow,
  type NotifyRules,
} from '../../src-preload/notification.ts';

const noRule: NotifyRow['cells'] = { completed: null, failed: null, timedOut: null, alerts: null };

/**
 * The rules with a row for this endpoint or tag added at the end, where the specific ones are. Unchanged if there is
 * one. Pure.
 */
export function withRow(rules: NotifyRules, subject: NotifyRow['of']): NotifyRules {
  if (rules.rows.some((row) => isSameSubject(row.of, subject))) return rules;
  return { ...rules, rows: [...rules.rows, { of: subject, cells: noRule }] };
}

/** The rules without the row at `index`. */
export function withoutRow(rules: NotifyRules, index: number): NotifyRules {
  return { ...rules, rows: rules.rows.toSpliced(index, 1) };
}

/** Moves a row up or down. Lower rows take precedence. */
export function withRowMoved(rules: NotifyRules, index: number, by: -1 | 1): NotifyRules {
  const row = rules.rows[index];
  const to = index + by;
  if (row === undefined || to < 0 || to >= rules.rows.length) return rules;
  return { ...rules, rows: rules.rows.toSpliced(index, 1).toSpliced(to, 0, row) };
}

/** Null in a row: the choice of the rows above applies. */
export function withCell(
  rules: NotifyRules,
  index: number | null,
  outcome: NotifyOutcome,
  choice: NotifyChoice | null,
): NotifyRules {
  if (index === null) return choice === null ? rules : { ...rules, all: { ...rules.all, [outcome]: choice } };
  return {
    ...rules,
    rows: rules.rows.map((row, at) => (at === index ? { ...row, cells: { ...row.cells, [outcome]: choice } } : row)),
  };
}

/** The choices of an outcome. Alerts have a digest of their own, and a job that timed out always ran long. */
export function choicesOf(outcome: NotifyOutcome): readonly NotifyChoice[] {
  switch (outcome) {
    case 'alerts':
      return ['notify', 'with-sound', 'off'];
    case 'timedOut':
      return ['notify', 'with-sound', 'digest', 'off'];
    case 'completed':
    case 'failed':
      return ['notify', 'with-sound', 'over-a-minute', 'digest', 'off'];
  }
}
