import { Menu as Base } from '@base-ui/react/menu';
import { Check, ChevronRight } from 'lucide-react';
import { useId, type ReactElement } from 'react';
import { classes } from '../class-names.ts';
import { Kbd } from '../keyboard/kbd.tsx';
import type { MenuEntry } from './menu-entry.ts';
import { menuText } from '../../messages/design.ts';
import styles from './menu.module.css';

interface MenuPopupProps {
  /** Left out: at the pointer. */
  align?: 'start' | 'end' | undefined;
  /** The least width in pixels. */
  minWidth: number;
  children: ReactElement;
}

/** What a menu shows while it is open. */
export function MenuPopup({ align, minWidth, children }: MenuPopupProps) {
  return (
    <Base.Portal role="region" aria-label={menuText.menu}>
      <Base.Positioner
        className={styles.positioner}
        collisionPadding={8}
        {...(align !== undefined && { side: 'bottom', align, sideOffset: 4 })}
      >
        <Base.Popup className={styles.menu} style={{ minWidth }}>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
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
