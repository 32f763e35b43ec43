import { alertBounds } from '../../src-preload/alert.ts';
import { alertSpan } from '../../src-preload/messages/alert.ts';
import type { AlertCondition, AlertKind, AlertRule } from '../../src-preload/alert.ts';
import { parseDuration } from '../../src-preload/duration-text.ts';
import { withDecimalPoint } from '../data/decimal-text.ts';
import { ruleFieldText } from '../messages/alerts.ts';

/** The figures of one kind of rule, as entered. */
export interface RuleFigures {
  count: string;
  span: string;
  times: string;
  isNoneIdle: boolean;
}

/** The dialog's fields. Each kind keeps its own figures, so that switching between kinds loses nothing. */
export interface RuleForm {
  kind: AlertKind;
  /** Empty for all endpoints. */
  endpointId: string;
  figures: Record<AlertKind, RuleFigures>;
}

export type RuleField = 'count' | 'span' | 'times';

/** The figures of each kind, with their labels. */
export const ruleFields: Record<AlertKind, readonly { field: RuleField; label: string; unit: string }[]> = {
  'stuck-queue': [
    { field: 'count', label: ruleFieldText.jobsWaiting, unit: ruleFieldText.jobs },
    { field: 'span', label: ruleFieldText.forSpan, unit: '' },
  ],
  'failure-burst': [
    { field: 'count', label: ruleFieldText.failedJobs, unit: ruleFieldText.jobs },
    { field: 'span', label: ruleFieldText.within, unit: '' },
  ],
  'slow-runs': [{ field: 'times', label: ruleFieldText.executionOver, unit: ruleFieldText.timesP95 }],
  'no-worker': [{ field: 'span', label: ruleFieldText.noWorkerFor, unit: '' }],
  'long-wait': [{ field: 'span', label: ruleFieldText.jobWaitsOver, unit: '' }],
};

/** The figures that the form of a new rule begins with. */
const initialConditions: { readonly [K in AlertKind]: Extract<AlertCondition, { kind: K }> } = {
  'stuck-queue': { kind: 'stuck-queue', overJobs: 5, forMs: 120_000, isNoneIdle: true },
  'failure-burst': { kind: 'failure-burst', overFailures: 3, withinMs: 300_000 },
  'slow-runs': { kind: 'slow-runs', timesP95: 2 },
  'no-worker': { kind: 'no-worker', forMs: 60_000 },
  'long-wait': { kind: 'long-wait', overMs: 300_000 },
};

function figuresOf(condition: AlertCondition): RuleFigures {
  const none: RuleFigures = { count: '', span: '', times: '', isNoneIdle: false };
  switch (condition.kind) {
    case 'stuck-queue':
      return {
        ...none,
        count: String(condition.overJobs),
        span: alertSpan(condition.forMs),
        isNoneIdle: condition.isNoneIdle,
      };
    case 'failure-burst':
      return { ...none, count: String(condition.overFailures), span: alertSpan(condition.withinMs) };
    case 'slow-runs':
      return { ...none, times: String(condition.timesP95) };
    case 'no-worker':
      return { ...none, span: alertSpan(condition.forMs) };
    case 'long-wait':
      return { ...none, span: alertSpan(condition.overMs) };
  }
}

/** The form of a new rule for an endpoint, or with null for all. */
export function blankForm(endpointId: string | null): RuleForm {
  return { kind: 'stuck-queue', endpointId: endpointId ?? '', figures: initialFigures() };
}

function initialFigures(): Record<AlertKind, RuleFigures> {
  return {
    'stuck-queue': figuresOf(initialConditions['stuck-queue']),
    'failure-burst': figuresOf(initialConditions['failure-burst']),
    'slow-runs': figuresOf(initialConditions['slow-runs']),
    'no-worker': figuresOf(initialConditions['no-worker']),
    'long-wait': figuresOf(initialConditions['long-wait']),
  };
}

/** The form of an existing rule. */
export function formOf(rule: Pick<AlertRule, 'endpointId' | 'condition'>): RuleForm {
  const blank = blankForm(rule.endpointId);
  return {
    ...blank,
    kind: rule.condition.kind,
    figures: { ...blank.figures, [rule.condition.kind]: figuresOf(rule.condition) },
  };
}

/** The condition in the fields, or what is invalid in each field. */
export function readForm({
  kind,
  figures,
}: RuleForm): { condition: AlertCondition } | { problems: Partial<Record<RuleField, string>> } {
  const typed = figures[kind];
  const problems: Partial<Record<RuleField, string>> = {};
  const count = (bounds: { min: number; max: number }): number => {
    const value = readNumber(typed.count);
    if (value !== null && Number.isInteger(value) && value >= bounds.min && value <= bounds.max) return value;
    problems.count = ruleFieldText.needsCount(bounds.min, bounds.max);
    return bounds.min;
  };
  const span = (bounds: { min: number; max: number }): number => {
    const ms = parseDuration(typed.span);
    if (ms === null) problems.span = ruleFieldText.needsDuration;
    else if (ms < bounds.min || ms > bounds.max) problems.span = ruleFieldText.needsSpan(bounds.min, bounds.max);
    return ms ?? bounds.min;
  };
  const times = (bounds: { min: number; max: number }): number => {
    const value = readNumber(typed.times);
    if (value !== null && value >= bounds.min && value <= bounds.max) return value;
    problems.times = ruleFieldText.needsNumber(bounds.min, bounds.max);
    return bounds.min;
  };
  const condition = ((): AlertCondition => {
    switch (kind) {
      case 'stuck-queue':
        return {
          kind,
          overJobs: count(alertBounds.overJobs),
          forMs: span(alertBounds.forMs),
          isNoneIdle: typed.isNoneIdle,
        };
      case 'failure-burst':
        return { kind, overFailures: count(alertBounds.overFailures), withinMs: span(alertBounds.withinMs) };
      case 'slow-runs':
        return { kind, timesP95: times(alertBounds.timesP95) };
      case 'no-worker':
        return { kind, forMs: span(alertBounds.forMs) };
      case 'long-wait':
        return { kind, overMs: span(alertBounds.overMs) };
    }
  })();
  return Object.keys(problems).length > 0 ? { problems } : { condition };
}

/** A plain decimal number, also as `2,5`, `1,000` and `1 000`. Null for anything else, including `1e3` and `0x10`. */
function readNumber(text: string): number | null {
  const pointed = withDecimalPoint(text);
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(pointed) ? pointed.replaceAll(',', '') : pointed;
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : null;
}
