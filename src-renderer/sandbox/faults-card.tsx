import { ChevronDown, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { maxFaults } from '../../src-preload/sandbox-bounds.ts';
import type { SandboxFault, SandboxState } from '../../src-preload/sandbox.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu/menu.tsx';
import { Switch } from '../design/form/choice.tsx';
import { faultReach, faultsText, faultTitle } from '../messages/sandbox/faults.ts';
import { faultPresets, presetFaults } from './fault-form.ts';
import { FaultForm } from './fault-form-fields.tsx';
import { changeFaults } from './sandbox-store.ts';
import card from './card.module.css';
import styles from './faults-card.module.css';

const newId = (): string => crypto.randomUUID();

/** The faults that are injected on purpose. */
export function FaultsCard({ sandbox }: { sandbox: SandboxState }) {
  const { faults, endpoints } = sandbox;
  const [isAdding, setAdding] = useState(false);
  const isFull = faults.length >= maxFaults;
  return (
    <section className={card.card} aria-label={faultsText.title}>
      <div className={card.head}>
        <h3>{faultsText.title}</h3>
        <span className="grow" />
        <Menu
          align="end"
          minWidth={330}
          trigger={
            <Button size="sm" variant="ghost">
              {faultsText.presets}
              <ChevronDown />
            </Button>
          }
          items={[
            { kind: 'label', label: faults.length > 0 ? faultsText.replaces : faultsText.presets },
            ...faultPresets.map((preset) => ({
              kind: 'item' as const,
              label: preset.name,
              note: preset.text,
              onSelect: () => void changeFaults(() => presetFaults(preset, newId)),
            })),
          ]}
        />
        <Button
          size="sm"
          variant="ghost"
          icon={<Plus />}
          disabledReason={isFull ? faultsText.isFull : undefined}
          onClick={() => setAdding(true)}
        >
          {faultsText.add}
        </Button>
      </div>
      {isAdding && (
        <FaultForm
          endpoints={endpoints}
          onAdd={(fault) => changeFaults((before) => [...before, fault])}
          onClose={() => setAdding(false)}
        />
      )}
      {faults.length === 0 && !isAdding && <p className={styles.none}>{faultsText.empty}</p>}
      <ul className={styles.rules}>
        {faults.map((fault) => (
          <FaultLine key={fault.id} fault={fault} />
        ))}
      </ul>
      {faults.length > 0 && (
        <div className={styles.foot}>
          <span>{faults.length > 1 ? faultsText.firstWins : faultsText.appliesToAll}</span>
          <Button size="sm" variant="ghost" onClick={() => void changeFaults(() => [])}>
            {faultsText.clear}
          </Button>
        </div>
      )}
    </section>
  );
}

function FaultLine({ fault }: { fault: SandboxFault }) {
  const setOn = (isOn: boolean): void =>
    void changeFaults((faults) => faults.map((one) => (one.id === fault.id ? { ...one, isOn } : one)));
  return (
    <li className={classes(styles.rule, !fault.isOn && styles.off)}>
      <div className="grow">
        <Switch label={faultTitle(fault)} hint={faultReach(fault)} isOn={fault.isOn} onChange={setOn} />
      </div>
      <IconButton
        label={faultsText.remove(fault)}
        size="sm"
        hasSmallGlyph
        icon={<X />}
        onClick={() => void changeFaults((faults) => faults.filter((one) => one.id !== fault.id))}
      />
    </li>
  );
}
