import { Tabs as Base } from '@base-ui/react/tabs';
import type { CSSProperties, ReactNode } from 'react';
import styles from './tabs.module.css';

export interface TabItem<V extends string> {
  value: V;
  label: string;
  /** 0 keeps the room for more. */
  count?: number | undefined;
  /** Shows a dot: output is arriving. */
  isLive?: boolean | undefined;
}

interface TabsProps<V extends string> {
  /** Accessible name of the list of tabs. */
  label: string;
  value: V;
  tabs: readonly TabItem<V>[];
  onChange: (value: V) => void;
  listClassName?: string | undefined;
  panelClassName?: string | undefined;
  /** The content of the selected tab. */
  children: ReactNode;
}

/** The second digit of a number, which is drawn into the gap to the next tab. A third one would touch that tab. */
function roomFor(count = 0): CSSProperties & { '--more-digits': number } {
  return { '--more-digits': Math.min(String(count).length - 1, 1) };
}

/** Tabs. Arrows move and select, Home and End jump to the ends. */
export function Tabs<V extends string>(props: TabsProps<V>) {
  const { label, value, tabs, onChange, listClassName, panelClassName, children } = props;
  return (
    <Base.Root value={value} onValueChange={(next: V) => onChange(next)} className={styles.root}>
      <div className={listClassName}>
        <Base.List aria-label={label} activateOnFocus className={styles.tabs}>
          {tabs.map((tab) => (
            <Base.Tab key={tab.value} value={tab.value} className={styles.tab} style={roomFor(tab.count)}>
              {tab.isLive === true && <span className={styles.live} />}
              {tab.label}
              {tab.count !== undefined && (
                <span className={styles.count} aria-hidden="true">
                  {tab.count > 0 && tab.count}
                </span>
              )}
            </Base.Tab>
          ))}
        </Base.List>
      </div>
      <Base.Panel value={value} tabIndex={-1} className={panelClassName}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
