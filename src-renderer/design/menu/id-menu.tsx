import { ChevronDown } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../button.tsx';
import { Menu, type MenuEntry } from './menu.tsx';

interface IdMenuProps {
  label: string;
  ids: readonly string[];
  /** Beside each id. */
  icon: ReactElement;
  className?: string | undefined;
  onOpen: (id: string) => void;
}

/** A button with a menu of ids that can be opened. Nothing if there are none. */
export function IdMenu({ label, ids, icon, className, onOpen }: IdMenuProps) {
  if (ids.length === 0) return null;
  const items = ids.map((id): MenuEntry => ({ kind: 'item', label: id, icon, onSelect: () => onOpen(id) }));
  return (
    <Menu
      items={items}
      minWidth={200}
      trigger={
        <Button size="lg" variant="ghost" className={className}>
          {label}
          <ChevronDown />
        </Button>
      }
    />
  );
}
