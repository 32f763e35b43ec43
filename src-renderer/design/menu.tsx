import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

export type MenuEntry =
  | {
      kind: 'item';
      label: string;
      icon?: ReactNode;
      /** Small text at the right, in place of keys. */
      note?: ReactNode;
      keys?: readonly string[] | undefined;
      onSelect: () => void;
      /** Shown under the label; the item stays and cannot be chosen. */
      disabledReason?: string | undefined;
      isDanger?: boolean | undefined;
      /** Given for one of a choice: whether it is the chosen one. */
      isChosen?: boolean | undefined;
    }
  | { kind: 'separator' }
  | { kind: 'label'; label: string };

export interface MenuProps {
  /** A button that takes a ref. */
  trigger: ReactElement;
  items: readonly MenuEntry[];
  align?: 'start' | 'end' | undefined;
  /** Least width in pixels. */
  minWidth?: number | undefined;
}

/** A menu on a button. */
export function Menu({ trigger, items, align = 'start', minWidth = 200 }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} side="bottom" align={align} sideOffset={4} collisionPadding={8}>
          <Base.Popup className={styles.menu} style={{ minWidth }}>
            {items.map((item, index) => {
              if (item.kind === 'separator') return <Base.Separator key={index} className={styles.separator} />;
              if (item.kind === 'label')
                return (
                  <div key={index} className={styles.label} role="presentation">
                    {item.label}
                  </div>
                );
              const isRefused = item.disabledReason !== undefined && item.disabledReason !== '';
              return (
                <Base.Item
                  key={index}
                  className={classes(styles.item, item.isDanger === true && styles.danger)}
                  aria-label={item.label}
                  disabled={isRefused}
                  onClick={item.onSelect}
                >
                  {item.isChosen !== undefined && <span className={styles.mark}>{item.isChosen && <Check />}</span>}
                  {item.icon}
                  <span className={styles.words}>
                    <span className="trunc">{item.label}</span>
                    {isRefused && <span className={styles.reason}>{item.disabledReason}</span>}
                  </span>
                  {item.note !== undefined && <span className={styles.note}>{item.note}</span>}
                  {item.keys !== undefined && <Kbd keys={item.keys} />}
                </Base.Item>
              );
            })}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
