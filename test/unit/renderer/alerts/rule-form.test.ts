import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  alertBounds,
  alertKinds,
  defaultAlertConditions,
  isAlertOn,
  maxAlertRules,
} from '../../../../src-preload/alert.ts';
import { alertSpan, conditionText } from '../../../../src-preload/messages/alert.ts';
import type { AlertCondition, AlertRule, AlertRuleState } from '../../../../src-preload/alert.ts';
import { alertCondition } from '../../../../src-preload/alert-schema.ts';
import { parseDocument } from '../../../../src-main/history/collection.ts';
import { defaultRules, ruleKind, withRestored, withSwitch, withoutRule } from '../../../../src-main/alerts/rules.ts';
import { blankForm, formOf, readForm } from '../../../../src-renderer/alerts/rule-form.ts';
import { parseDuration } from '../../../../src-preload/duration-text.ts';
import type { RuleFigures } from '../../../../src-renderer/alerts/rule-form.ts';
import { minuteText, readMinute } from '../../../../src-preload/time-of-day.ts';
import { ruleState } from '../../../../src-renderer/alerts/rule-state.ts';
import { deliveryText, notifyText, recordSpan } from '../../../../src-renderer/messages/alerts.ts';
import { settingsDefaults } from '../../../../src-preload/settings.ts';

const whole = ({ min, max }: { min: number; max: number }) => fc.integer({ min, max });
const seconds = ({ min, max }: { min: number; max: number }) =>
  fc.integer({ min: min / 1_000, max: max / 1_000 }).map((count) => count * 1_000);
const anyCondition: fc.Arbitrary<AlertCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('stuck-queue' as const),
    overJobs: whole(alertBounds.overJobs),
    forMs: seconds(alertBounds.forMs),
    isNoneIdle: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('failure-burst' as const),
    overFailures: whole(alertBounds.overFailures),
    withinMs: seconds(alertBounds.withinMs),
  }),
  fc.record({
    kind: fc.constant('slow-runs' as const),
    timesP95: fc.integer({ min: 11, max: 1_000 }).map((tenths) => tenths / 10),
  }),
  fc.record({ kind: fc.constant('no-worker' as const), forMs: seconds(alertBounds.forMs) }),
  fc.record({ kind: fc.constant('long-wait' as const), overMs: seconds(alertBounds.overMs) }),
);

describe('the form of an alert rule', () => {
  it('reads what it shows, for any rule that main accepts', () => {
    fc.assert(
      fc.property(anyCondition, (condition) => {
        expect(alertCondition.safeParse(condition).success).toBe(true);
        expect(readForm(formOf({ endpointId: null, condition }))).toEqual({ condition });
      }),
    );
  });

  it.each(alertKinds)('begins with figures of %s that main accepts', (kind) => {
    const read = readForm({ ...blankForm(null), kind });
    expect('condition' in read && alertCondition.safeParse(read.condition).success).toBe(true);
  });

  const stuck = (figures: Partial<RuleFigures>) => {
    const form = blankForm(null);
    return readForm({
      ...form,
      figures: { ...form.figures, 'stuck-queue': { ...form.figures['stuck-queue'], ...figures } },
    });
  };
  it.each([
    [{ count: '' }, { count: 'A whole number from 0 to 100,000' }],
    [{ count: '-1' }, { count: 'A whole number from 0 to 100,000' }],
    [{ count: '1.5' }, { count: 'A whole number from 0 to 100,000' }],
    [{ count: '1e3' }, { count: 'A whole number from 0 to 100,000' }],
    [{ count: '1,5' }, { count: 'A whole number from 0 to 100,000' }],
    [{ count: '100001' }, { count: 'A whole number from 0 to 100,000' }],
    [{ span: '' }, { span: 'A duration, such as 90 s or 2 min' }],
    [{ span: 'soon' }, { span: 'A duration, such as 90 s or 2 min' }],
    [{ span: '0.5 s' }, { span: 'From 1 s to 1 d' }],
    [{ span: '25 h' }, { span: 'From 1 s to 1 d' }],
    [
      { count: 'x', span: '2 years' },
      { count: 'A whole number from 0 to 100,000', span: 'A duration, such as 90 s or 2 min' },
    ],
  ])('says what is invalid in %j', (figures, problems) => {
    expect(stuck(figures)).toEqual({ problems });
  });
  it.each(['12,000', '12 000', '12000'])('reads the count %s', (count) => {
    expect(stuck({ count })).toMatchObject({ condition: { overJobs: 12_000 } });
  });
  it('reads a factor with a decimal comma, and says what is invalid in it', () => {
    const form = { ...blankForm('echo'), kind: 'slow-runs' as const };
    const read = (times: string) =>
      readForm({ ...form, figures: { ...form.figures, 'slow-runs': { ...form.figures['slow-runs'], times } } });
    for (const times of ['', '1', '101', 'twice', '-2'])
      expect(read(times)).toEqual({ problems: { times: 'A number from 1.1 to 100' } });
    for (const times of ['2.5', '2,5', ' 2,50 '])
      expect(read(times)).toEqual({ condition: { kind: 'slow-runs', timesP95: 2.5 } });
    for (const times of ['2,500', '1,2,3'])
      expect(read(times)).toEqual({ problems: { times: 'A number from 1.1 to 100' } });
  });

  it.each([
    ['90', 90_000],
    ['90 s', 90_000],
    ['2 min', 120_000],
    ['1 h 30 min', 5_400_000],
    ['2:30', 150_000],
    ['1:00:00', 3_600_000],
    ['1.5m', 90_000],
    ['min', null],
    ['2 2', null],
    ['-5 s', null],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it('writes the rules as the design does', () => {
    expect(defaultAlertConditions.map(({ condition }) => conditionText(condition))).toEqual([
      'over 5 waiting, none idle, 2 min',
      'more than 3 failed in 5 min',
      'execution over twice the p95',
      'no worker while jobs wait for 1 min',
    ]);
    expect([1_000, 90_000, 60_000, 5_400_000, 86_400_000].map(alertSpan)).toEqual([
      '1 s',
      '90 s',
      '1 min',
      '1 h 30 min',
      '1 d',
    ]);
  });
});

describe('rules', () => {
  it('for all endpoints can be turned off at one', () => {
    const rules = defaultRules('c1');
    const id = 'c1:stuck-queue';
    const switched = (from: readonly AlertRule[], endpointId: string | null, isOn: boolean): readonly AlertRule[] => {
      const result = withSwitch(from, id, endpointId, isOn);
      return result.ok ? result.value : [];
    };
    const on = (from: readonly AlertRule[]): boolean[] =>
      from.filter((rule) => rule.id === id).flatMap((rule) => ['a', 'b'].map((endpoint) => isAlertOn(rule, endpoint)));
    const atA = switched(rules, 'a', false);
    expect(on(atA)).toEqual([false, true]);
    expect(on(switched(atA, null, true))).toEqual([true, true]);
    expect(switched(atA, 'a', true)).toEqual(rules);
    expect(on(switched(switched(rules, null, false), 'b', true))).toEqual([false, true]);
  });

  it('restored goes back to its place; an existing one stays unchanged', () => {
    const rules = defaultRules('c1').map((rule, index) =>
      index === 1 ? { ...rule, isOn: false, exceptions: { a: true } } : rule,
    );
    const [, second] = rules;
    if (second === undefined) throw new Error('There are default rules.');
    const removed = withoutRule(rules, second.id);
    const left = removed.ok ? removed.value : [];
    expect(left).toHaveLength(rules.length - 1);
    expect(withRestored(left, second, 1)).toEqual({ ok: true, value: rules });
    expect(withRestored(rules, { ...second, isOn: true }, 0)).toEqual({ ok: true, value: rules });
    expect(withRestored([], second, 900)).toEqual({ ok: true, value: [second] });
    const many = Array.from({ length: maxAlertRules }, (_, index) => ({ ...second, id: `rule ${index}` }));
    expect(withRestored(many, second, 0)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  });

  it('of a damaged document are skipped or replaced by defaults one by one', () => {
    const [first, ...others] = defaultRules('c1');
    expect(
      parseDocument(ruleKind.schema, JSON.stringify([{ ...first, condition: { kind: 'odd' } }, ...others])),
    ).toEqual(others);
    for (const json of ['', 'null', '{}', '[']) expect(parseDocument(ruleKind.schema, json)).toBeNull();
  });
});

describe('texts of the window', () => {
  const [rule] = defaultRules('c1');
  const stateHere = (changes: Partial<AlertRuleState>): AlertRuleState => ({
    ruleId: 'c1:stuck-queue',
    endpointId: 'a',
    phase: 'quiet',
    sinceMs: null,
    lastFiredAtMs: null,
    ...changes,
  });
  const noon = new Date(2026, 9, 7, 12).getTime();
  it('show the state of a rule', () => {
    if (rule === undefined) throw new Error('There is no default rule.');
    const state = (changes: Partial<AlertRuleState>, of: AlertRule = rule) =>
      ruleState(of, [stateHere(changes)], 'a', { nowMs: noon, readAtMs: null });
    expect(state({})).toMatchObject({ tone: 'calm', text: 'quiet' });
    expect(state({ phase: 'firing', sinceMs: noon - 151_000 })).toMatchObject({ tone: 'firing', text: 'firing 2:31' });
    const firing = [stateHere({ phase: 'firing', sinceMs: noon - 400_000 })];
    expect(ruleState(rule, firing, 'a', { nowMs: noon, readAtMs: noon - 300_000 })).toEqual({
      tone: 'firing',
      text: 'as of 11:55',
      meaning: 'It fired then; no reading since',
    });
    expect(ruleState(rule, firing, 'a', { nowMs: noon, readAtMs: noon - 3_000 }).text).toBe('firing 6:40');
    expect(state({ phase: 'pending', sinceMs: noon - 9_000 })).toMatchObject({ tone: 'pending', text: 'since 0:09' });
    expect(state({ lastFiredAtMs: noon - 10_000_000 })).toMatchObject({ tone: 'calm', text: '09:13' });
    expect(state({ lastFiredAtMs: noon - 10 * 86_400_000 })).toMatchObject({ tone: 'calm', text: '27 Sept' });
    expect(state({}, { ...rule, isOn: false })).toMatchObject({ tone: 'calm', text: 'off', meaning: 'Switched off' });
    expect(
      ruleState(
        rule,
        [
          stateHere({ phase: 'firing', sinceMs: noon - 1_000 }),
          stateHere({ endpointId: 'b', phase: 'firing', sinceMs: noon - 61_000 }),
        ],
        null,
        { nowMs: noon, readAtMs: null },
      ).text,
    ).toBe('firing 1:01, 2x');
  });

  it('show how certain an end is, and how it was notified', () => {
    const record = {
      id: 'x',
      ruleId: 'r',
      connectionId: 'c1',
      endpointId: 'a',
      kind: 'long-wait' as const,
      text: 't',
      sinceMs: noon,
      firedAtMs: noon,
      lastSeenAtMs: noon + 1_000,
      endedAtMs: null,
      isEndExact: true,
      delivery: 'notified' as const,
      deliveredAtMs: noon,
    };
    expect(recordSpan(record, noon)).toBe('12:00:00, still firing');
    expect(recordSpan({ ...record, endedAtMs: noon + 90_000 }, noon)).toBe('12:00:00 to 12:01:30');
    expect(recordSpan({ ...record, endedAtMs: noon + 90_000, isEndExact: false }, noon)).toBe(
      '12:00:00, ended between 12:00:01 and 12:01:30',
    );
    expect(deliveryText(record, noon)).toBe('notified 12:00:00');
    expect(deliveryText({ delivery: 'muted', deliveredAtMs: null }, noon)).toBe('not sent (muted)');
  });

  it('say when notifications come', () => {
    expect(notifyText(settingsDefaults, false)).toBe('Notifies at most once a minute');
    expect(
      notifyText(
        {
          quietHours: { isOn: true, fromMinute: 1_320, toMinute: 480 },
          digest: { isOn: true, everyMinutes: 30 },
        },
        false,
      ),
    ).toBe('Digest every 30 min, quiet 22:00 to 08:00');
    expect(notifyText(settingsDefaults, true)).toBe('Notifications are off');
  });

  it('read times of day', () => {
    expect(['22:00', '7:30', '7', '24:00', '12:60', 'noon', ''].map(readMinute)).toEqual([
      1_320,
      450,
      420,
      null,
      null,
      null,
      null,
    ]);
    expect(minuteText(450)).toBe('07:30');
  });
});
