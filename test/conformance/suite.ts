import type { Rule, Verdict } from './rule.ts';
import type { Service } from './service.ts';

export interface RuleResult {
  rule: Rule;
  verdict: Verdict;
}

/** Runs the rules one after the other; after each, what it left behind is taken away. */
export async function* runRules(service: Service, rules: readonly Rule[]): AsyncGenerator<RuleResult> {
  for (const rule of rules) {
    const verdict = await rule.check(service);
    await tidy(service);
    yield { rule, verdict };
  }
}

/** A tidying that fails says nothing about the rule; the next rule will tell. */
async function tidy(service: Service): Promise<void> {
  for (const undo of service.afterwards.splice(0).reverse()) await undo().catch(() => undefined);
  // Late jobs first: cancelling an early one would start them.
  for (const job of [...service.unfinished].reverse()) await service.call('cancel', { job }).catch(() => undefined);
  service.unfinished.clear();
  service.http.dropAll();
}
