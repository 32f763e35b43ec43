import { ContextMenu as Context } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import { Check, ChevronRight } from 'lucide-react';
import { useId, useState, type ReactElement, type ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import { menuText } from '../messages/design.ts';
import styles from './menu.module.css';

export type MenuEntry =
  | {
      kind: 'item';
      label: string;
      icon?: ReactNode;
      /** Small text on the right, instead of keys. */
      note?: ReactNode;
      keys?: readonly string[] | undefined;
      onSelect: () => void;
      /** Shown under the label. The item stays but cannot be chosen. */
      disabledReason?: string | undefined;
      isDanger?: boolean | undefined;
      /** For an item of a choice: whether it is chosen. */
      isChosen?: boolean | undefined;
      /** For an item of a multiple choice: the menu stays open. */
      keepsOpen?: boolean | undefined;
    }
  | { kind: 'submenu'; label: string; icon?: ReactNode; items: readonly MenuEntry[] }
  | { kind: 'separator' }
  | { kind: 'label'; label: string };

export interface MenuProps {
  /** A button that accepts a ref. */
  trigger: ReactElement;
  /** `MenuEntries`, or a component with them. It is drawn only while the menu is open. */
  children?: ReactElement;
  items?: readonly MenuEntry[];
  align?: 'start' | 'end' | undefined;
  /** The least width in pixels. */
  minWidth?: number | undefined;
}

/** A menu on a button. */
export function Menu({ trigger, children, items = [], align = 'start', minWidth = 200 }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal role="region" aria-label={menuText.menu}>
        <Base.Positioner className={styles.positioner} side="bottom" align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.menu} style={{ minWidth }}>
            {children ?? <MenuEntries items={items} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface ContextMenuProps {
  /** The area of the menu: one element that accepts a ref. */
  children: ReactElement;
  /**
   * The items, or a function that returns them for the element under the pointer or with the focus. Without items the
   * menu does not open.
   */
  items: readonly MenuEntry[] | ((target: Element) => readonly MenuEntry[]);
}

/** A menu that the right mouse button or the menu key opens over its children. */
export function ContextMenu({ children, items }: ContextMenuProps) {
  const [itemsThere, setItemsThere] = useState<readonly MenuEntry[]>([]);
  return (
    <Context.Root>
      <Context.Trigger
        render={children}
        onContextMenu={(event) => {
          if (typeof items !== 'function') return;
          const entries = event.target instanceof Element ? items(event.target) : [];
          if (entries.length === 0) event.preventBaseUIHandler();
          setItemsThere(entries);
        }}
      />
      <Context.Portal role="region" aria-label={menuText.menu}>
        <Context.Positioner className={styles.positioner} collisionPadding={8}>
          <Context.Popup className={styles.menu} style={{ minWidth: 220 }}>
            <MenuEntries items={typeof items === 'function' ? itemsThere : items} />
          </Context.Popup>
        </Context.Positioner>
      </Context.Portal>
    </Context.Root>
  );
}

/** The entries of a menu. */
export function MenuEntries({ items }: { items: readonly MenuEntry[] }) {
  return items.map((item, index) => {
    switch (item.kind) {
      case 'separator':
        return <Base.Separator key={index} className={styles.separator} />;
      case 'label':
        return (
          <div key={index} className={styles.label} role="presentation">
            {item.label}
          </div>
        );
      case 'submenu':
        return <Submenu key={index} {...item} />;
      case 'item':
        return <Entry key={index} item={item} />;
    }
  });
}

function Submenu({ label, icon, items }: Extract<MenuEntry, { kind: 'submenu' }>) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={styles.item}>
        {icon}
        <span className={styles.words}>{label}</span>
        <ChevronRight />
      </Base.SubmenuTrigger>
      <Base.Portal role="region" aria-label={label}>
        <Base.Positioner className={styles.positioner} collisionPadding={8}>
          <Base.Popup className={styles.menu} style={{ minWidth: 200 }}>
            <MenuEntries items={items} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}

function Entry({ item }: { item: Extract<MenuEntry, { kind: 'item' }> }) {
  const id = useId();
  const isRefused = item.disabledReason !== undefined && item.disabledReason !== '';
  return (
    <Base.Item
      className={classes(styles.item, item.isDanger === true && styles.danger)}
      aria-describedby={isRefused ? id : undefined}
      disabled={isRefused}
      closeOnClick={item.keepsOpen !== true}
      {...(item.keepsOpen === true && { role: 'menuitemcheckbox', 'aria-checked': item.isChosen })}
      onClick={item.onSelect}
    >
      {item.isChosen !== undefined && <span className={styles.mark}>{item.isChosen && <Check />}</span>}
      {item.icon}
      <span className={styles.words}>
        <span className="trunc">{item.label}</span>
        {isRefused && (
          <span id={id} className={styles.reason} aria-hidden="true">
            {item.disabledReason}
          </span>
        )}
      </span>
      {item.note !== undefined && (
        <span className={styles.note} aria-hidden="true">
          {item.note}
        </span>
      )}
      {item.keys !== undefined && <Kbd keys={item.keys} />}
    </Base.Item>
  );
}
