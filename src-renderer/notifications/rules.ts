import type { NotifyChoice, NotifyOutcome, NotifyRow } from '../../src-preload/notification.ts';
import type { SettingsChange } from '../../src-preload/settings-change.ts';

const noRule: NotifyRow['cells'] = { completed: null, failed: null, timedOut: null, alerts: null };

/** A change of the rules. */
type RulesEdit = NonNullable<SettingsChange['notify']>;

/** Adds a row for an endpoint or tag at the end, where the specific ones are. Pure. */
export function addingRow(of: NotifyRow['of']): RulesEdit {
  return { kind: 'add', of, cells: noRule, place: null };
}

/** Moves the row at `index` up or down. Lower rows take precedence. Null at the end of the list. Pure. */
export function movingRow(rows: readonly NotifyRow[], index: number, by: -1 | 1): RulesEdit | null {
  const row = rows[index];
  const to = index + by;
  if (row === undefined || to < 0 || to >= rows.length) return null;
  return { kind: 'move', of: row.of, before: rows[by === -1 ? to : to + 1]?.of ?? null };
}

/** Chooses for an outcome: in a row (null: the choice of the rows above applies) or, without one, for all. Pure. */
export function choosing(
  of: NotifyRow['of'] | null,
  outcome: NotifyOutcome,
  choice: NotifyChoice | null,
): RulesEdit | null {
  if (of !== null) return { kind: 'choose', of, cells: { [outcome]: choice } };
  return choice === null ? null : { kind: 'choose-for-all', choices: { [outcome]: choice } };
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
