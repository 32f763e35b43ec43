import { ChevronDown, Plus, X } from 'lucide-react';
import { useState } from 'react';
import { mostFaults } from '../../src-preload/sandbox-bounds.ts';
import type { SandboxFault, SandboxState } from '../../src-preload/sandbox.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { IconButton } from '../design/icon-button.tsx';
import { Menu } from '../design/menu.tsx';
import { Switch } from '../design/choice.tsx';
import { faultPresets, presetFaults } from './fault-form.ts';
import { FaultForm } from './fault-form-fields.tsx';
import { faultReach, faultTitle } from './fault-messages.ts';
import { changeFaults } from './sandbox-store.ts';
import card from './card.module.css';
import styles from './faults-card.module.css';

const newId = (): string => crypto.randomUUID();

/** The faults that are injected on purpose. */
export function FaultsCard({ sandbox }: { sandbox: SandboxState }) {
  const { faults, endpoints } = sandbox;
  const [isAdding, setAdding] = useState(false);
  const isFull = faults.length >= mostFaults;
  return (
    <section className={card.card} aria-label="Faults">
      <div className={card.head}>
        <h3>Faults</h3>
        <span className="grow" />
        <Menu
          align="end"
          minWidth={330}
          trigger={
            <Button size="sm" variant="ghost">
              Presets
              <ChevronDown />
            </Button>
          }
          items={[
            { kind: 'label', label: faults.length > 0 ? 'Replaces the current faults' : 'Presets' },
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
          disabledReason={isFull ? `At most ${mostFaults}` : undefined}
          onClick={() => setAdding(true)}
        >
          Add fault
        </Button>
      </div>
      {isAdding && (
        <FaultForm
          endpoints={endpoints}
          onAdd={(fault) => changeFaults((before) => [...before, fault])}
          onClose={() => setAdding(false)}
        />
      )}
      {faults.length === 0 && !isAdding && (
        <p className={styles.none}>
          The sandbox does what the specification says. Add a fault to see how a client copes with a bad day.
        </p>
      )}
      <ul className={styles.rules}>
        {faults.map((fault) => (
          <FaultLine key={fault.id} fault={fault} />
        ))}
      </ul>
      {faults.length > 0 && (
        <div className={styles.foot}>
          <span>{faults.length > 1 ? 'First match wins' : "Applies to Jobdeck's own requests too"}</span>
          <Button size="sm" variant="ghost" onClick={() => void changeFaults(() => [])}>
            Clear all
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
        label={`Remove ${faultTitle(fault)}`}
        size="sm"
        hasSmallGlyph
        icon={<X />}
        onClick={() => void changeFaults((faults) => faults.filter((one) => one.id !== fault.id))}
      />
    </li>
  );
}
