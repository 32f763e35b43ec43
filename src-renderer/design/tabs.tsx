import { useRef, type KeyboardEvent } from 'react';
import styles from './tabs.module.css';

export interface TabItem<V extends string> {
  value: V;
  label: string;
  count?: number | undefined;
  /** Shows the live dot: output is arriving. */
  isLive?: boolean | undefined;
}

/** Id of the panel that belongs to a tab: give it to the element with role `tabpanel`. */
export function tabPanelId(group: string, value: string): string {
  return `${group}-panel-${value}`;
}

/** Id of a tab, for the panel's `aria-labelledby`. */
export function tabId(group: string, value: string): string {
  return `${group}-tab-${value}`;
}

/**
 * The list of tabs; the caller renders the panel (`role="tabpanel" id={tabPanelId(group, value)}
 * aria-labelledby={tabId(group, value)}`). Arrows move and select, Home and End jump.
 */
export function Tabs<V extends string>({
  value,
  onChange,
  tabs,
  group = 'tabs',
  label,
}: {
  value: V;
  onChange: (value: V) => void;
  tabs: readonly TabItem<V>[];
  group?: string;
  label?: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const target =
      event.key === 'ArrowRight'
        ? tabs[(at + 1) % tabs.length]
        : event.key === 'ArrowLeft'
          ? tabs[(at - 1 + tabs.length) % tabs.length]
          : event.key === 'Home'
            ? tabs[0]
            : event.key === 'End'
              ? tabs.at(-1)
              : undefined;
    if (target === undefined) return;
    event.preventDefault();
    onChange(target.value);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(group, target.value))}`)?.focus();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={tabId(group, tab.value)}
          aria-selected={tab.value === value}
          aria-controls={tab.value === value ? tabPanelId(group, tab.value) : undefined}
          tabIndex={tab.value === value ? 0 : -1}
          className={styles.tab}
          onClick={() => onChange(tab.value)}
        >
          {tab.isLive === true && <span className={styles.live} />}
          {tab.label}
          {tab.count !== undefined && (
            <span className={styles.count} aria-hidden="true">
              {tab.count}
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
