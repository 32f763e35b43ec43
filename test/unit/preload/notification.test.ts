import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choiceFor,
  isUndisturbed,
  wayFor,
  notifyOutcomes,
  type NotifyChoice,
  type NotifyRow,
  type NotifyRules,
} from '../../../src-preload/notification.ts';

const all = { completed: 'digest', failed: 'notify', timedOut: 'notify', alerts: 'notify' } as const;
const none = { completed: null, failed: null, timedOut: null, alerts: null };
const ofEndpoint = (endpointId: string, cells: Partial<NotifyRow['cells']>): NotifyRow => ({
  of: { kind: 'endpoint', connectionId: 'c1', endpointId },
  cells: { ...none, ...cells },
});
const ofTag = (tag: string, cells: Partial<NotifyRow['cells']>): NotifyRow => ({
  of: { kind: 'tag', tag },
  cells: { ...none, ...cells },
});
const job = (endpointId: string, tags: string[] = [], connectionId = 'c1') => ({ connectionId, endpointId, tags });

describe('rules of notification', () => {
  const rules: NotifyRules = {
    all,
    rows: [ofEndpoint('llm', { completed: 'with-sound', failed: 'off' }), ofTag('ci', { completed: 'off' })],
  };

  it('go from the general to the specific, and the lower one wins', () => {
    expect(choiceFor(rules, job('sdxl'), 'completed')).toBe('digest');
    expect(choiceFor(rules, job('llm'), 'completed')).toBe('with-sound');
    expect(choiceFor(rules, job('llm', ['CI']), 'completed')).toBe('off');
    expect(choiceFor({ ...rules, rows: rules.rows.toReversed() }, job('llm', ['ci']), 'completed')).toBe('with-sound');
  });

  it('an empty cell leaves the choice to the rows above', () => {
    expect(choiceFor(rules, job('llm', ['ci']), 'failed')).toBe('off');
    expect(choiceFor(rules, job('sdxl', ['ci']), 'failed')).toBe('notify');
    expect(choiceFor(rules, job('llm'), 'timedOut')).toBe('notify');
  });

  it('an endpoint of another connection is a different one, and a refused key belongs to none', () => {
    expect(choiceFor(rules, job('llm', [], 'c2'), 'failed')).toBe('notify');
    expect(choiceFor(rules, { connectionId: 'c1', endpointId: null, tags: [] }, 'failed')).toBe('notify');
  });

  it('for any rows: the answer is in the lowest row that sets it', () => {
    const ways = ['notify', 'with-sound', 'digest', 'off'] as const;
    const cell = fc.option(fc.constantFrom<NotifyChoice>(...ways, 'over-a-minute'), { nil: null });
    const alerts = fc.option(fc.constantFrom(...ways), { nil: null });
    const cells = fc.record({ completed: cell, failed: cell, timedOut: cell, alerts });
    const row = fc.oneof(
      fc.record({ of: fc.constantFrom('a', 'b').map((id) => ofEndpoint(id, {}).of), cells }),
      fc.record({ of: fc.constantFrom('x', 'y').map((tag) => ofTag(tag, {}).of), cells }),
    );
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), fc.constantFrom('a', 'b', 'c'), (rows, endpointId) => {
        for (const outcome of notifyOutcomes) {
          const speaking = rows.filter(
            ({ of, cells: said }) =>
              said[outcome] !== null && (of.kind === 'tag' ? of.tag === 'x' : of.endpointId === endpointId),
          );
          expect(choiceFor({ all, rows }, job(endpointId, ['x']), outcome)).toBe(
            speaking.at(-1)?.cells[outcome] ?? all[outcome],
          );
        }
      }),
    );
  });

  it('“Over 1 min” notifies only of what took longer', () => {
    expect(wayFor('over-a-minute', 60_000)).toBe('off');
    expect(wayFor('over-a-minute', 60_001)).toBe('notify');
    for (const choice of ['notify', 'with-sound', 'digest', 'off'] as const) expect(wayFor(choice, 0)).toBe(choice);
  });

  it('do not disturb ends automatically if it has an end', () => {
    expect(isUndisturbed({ isOn: true, untilMs: 10 }, 9)).toBe(true);
    expect(isUndisturbed({ isOn: true, untilMs: 10 }, 10)).toBe(false);
    expect(isUndisturbed({ isOn: true, untilMs: null }, 10)).toBe(true);
    expect(isUndisturbed({ isOn: false, untilMs: null }, 10)).toBe(false);
  });
});
