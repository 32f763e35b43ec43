import type { ReactNode } from 'react';

/** A line of a menu. */
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
