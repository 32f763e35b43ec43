import { Bell, BellOff, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { AlertOverview, AlertRule } from '../../src-preload/alert.ts';
import { alertNames, conditionText } from '../../src-preload/messages/alert.ts';
import { choiceFor } from '../../src-preload/notification.ts';
import { endpointName } from '../../src-preload/connection.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { SkeletonRows } from '../design/skeleton.tsx';
import { Switch } from '../design/form/choice.tsx';
import { Tooltip } from '../design/tooltip.tsx';
import { findEndpoint, useSession } from '../data/session-store.ts';
import { useNow } from '../data/use-now.ts';
import { endpointKey } from '../../src-preload/endpoint-key.ts';
import { alertRulesText, notifyText } from '../messages/alerts.ts';
import { commonText } from '../messages/common.ts';
import { AlertHistoryDialog } from './alert-history-dialog.tsx';
import { setRuleOn, useAlerts } from './alerts.ts';
import { RuleDialog } from './rule-dialog.tsx';
import { isRuleOn, ruleState } from './rule-state.ts';
import styles from './alerts-card.module.css';

export interface AlertsCardProps {
  connectionId: string;
  /** Null: the rules of all endpoints. */
  endpointId: string | null;
}

type Opened = { kind: 'none' } | { kind: 'new' } | { kind: 'rule'; rule: AlertRule } | { kind: 'history' };

/** The alert rules of an endpoint, their states, and the alerts that fired before. */
export function AlertsCard({ connectionId, endpointId }: AlertsCardProps) {
  const { data: overview, error, refetch } = useAlerts(connectionId);
  const settings = useSession((state) => state.settings);
  const isOff = choiceFor(settings.notify, { connectionId, endpointId, tags: [] }, 'alerts') === 'off';
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const close = (): void => setOpened({ kind: 'none' });
  return (
    <section className={styles.card} aria-label={alertRulesText.title}>
      <div className={styles.head}>
        <h3>{alertRulesText.title}</h3>
        {overview !== undefined && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus />}
            aria-label={alertRulesText.addRule}
            onClick={() => setOpened({ kind: 'new' })}
          >
            {alertRulesText.addRuleShort}
          </Button>
        )}
      </div>
      {overview === undefined && error === null && <SkeletonRows count={4} height={50} />}
      {overview === undefined && error !== null && (
        <div className={styles.failed} role="alert">
          <p>{alertRulesText.couldNotRead(error.message)}</p>
          <Button size="sm" onClick={() => void refetch()}>
            {commonText.tryAgain}
          </Button>
        </div>
      )}
      {overview !== undefined && (
        <Rules overview={overview} endpointId={endpointId} onEdit={(rule) => setOpened({ kind: 'rule', rule })} />
      )}
      <div className={styles.foot}>
        {isOff ? <BellOff /> : <Bell />}
        <span>{notifyText(settings, isOff)}</span>
        <Button size="sm" variant="ghost" onClick={() => setOpened({ kind: 'history' })}>
          {alertRulesText.history}
        </Button>
      </div>
      {opened.kind === 'new' && (
        <RuleDialog connectionId={connectionId} endpointId={endpointId} rule={null} onClose={close} />
      )}
      {opened.kind === 'rule' && (
        <RuleDialog connectionId={connectionId} endpointId={endpointId} rule={opened.rule} onClose={close} />
      )}
      {opened.kind === 'history' && (
        <AlertHistoryDialog connectionId={connectionId} endpointId={endpointId} onClose={close} />
      )}
    </section>
  );
}

interface RulesProps {
  overview: AlertOverview;
  endpointId: string | null;
  onEdit: (rule: AlertRule) => void;
}

function Rules({ overview, endpointId, onEdit }: RulesProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const rules = overview.rules.filter(
    (rule) => endpointId === null || rule.endpointId === null || rule.endpointId === endpointId,
  );
  const turn = async (rule: AlertRule, isOn: boolean): Promise<void> => {
    const failure = await setRuleOn(overview.connectionId, rule.id, endpointId, isOn);
    setProblem(failure?.message ?? null);
  };
  return (
    <>
      {rules.length === 0 && <p className={styles.none}>{alertRulesText.none}</p>}
      <ul className={styles.rules}>
        {rules.map((rule) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            overview={overview}
            endpointId={endpointId}
            onTurn={(isOn) => void turn(rule, isOn)}
            onEdit={() => onEdit(rule)}
          />
        ))}
      </ul>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

interface RuleRowProps {
  rule: AlertRule;
  overview: AlertOverview;
  endpointId: string | null;
  onTurn: (isOn: boolean) => void;
  onEdit: () => void;
}

function RuleRow({ rule, overview, endpointId, onTurn, onEdit }: RuleRowProps) {
  const connections = useSession((state) => state.connections);
  const readAtMs = useSession((state) =>
    endpointId === null
      ? null
      : (state.health[endpointKey({ connectionId: rule.connectionId, endpointId })]?.atMs ?? null),
  );
  const isTicking = overview.ruleStates.some(
    (one) => one.ruleId === rule.id && one.phase !== 'quiet' && (endpointId === null || one.endpointId === endpointId),
  );
  // A second's precision is needed only while something counts up. Otherwise a minute is enough to notice a new day.
  const nowMs = useNow(isTicking ? 1_000 : 60_000);
  const state = ruleState(rule, overview.ruleStates, endpointId, { nowMs, readAtMs });
  const isOn = isRuleOn(rule, endpointId);
  const condition = conditionText(rule.condition);
  const hint =
    endpointId === null && rule.endpointId !== null
      ? alertRulesText.conditionAt(
          condition,
          endpointName(findEndpoint(connections, rule.connectionId, rule.endpointId)),
        )
      : condition;
  return (
    <li className={classes(styles.rule, !isOn && styles.off)}>
      <div className={styles.switch}>
        <Switch label={alertNames[rule.condition.kind]} hint={hint} isOn={isOn} onChange={onTurn} />
      </div>
      <Tooltip text={state.meaning}>
        <span className={classes(styles.state, state.tone !== 'calm' && styles[state.tone])}>{state.text}</span>
      </Tooltip>
      <IconButton
        label={alertRulesText.edit(rule.condition.kind)}
        size="sm"
        hasSmallGlyph
        icon={<Pencil />}
        className={styles.edit}
        onClick={onEdit}
      />
    </li>
  );
}
