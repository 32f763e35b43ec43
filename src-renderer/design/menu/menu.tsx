import { ContextMenu as Context } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import { Suspense, useState, type ReactElement } from 'react';
import { lazyPart, useOnce } from '../lazy-part.ts';
import type { MenuEntry } from './menu-entry.ts';

export type { MenuEntry };

// The first screen has the buttons of menus, and no open menu: the half of the library that places it can come later.
const MenuPopup = lazyPart(async () => (await import('./menu-popup.tsx')).MenuPopup);
const Entries = lazyPart(async () => (await import('./menu-popup.tsx')).MenuEntries);

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
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useOnce(isOpen);
  return (
    <Base.Root onOpenChange={setOpen}>
      <Base.Trigger render={trigger} />
      {wasOpened && (
        <Suspense fallback={null}>
          <MenuPopup align={align} minWidth={minWidth}>
            {children ?? <Entries items={items} />}
          </MenuPopup>
        </Suspense>
      )}
    </Base.Root>
  );
}

/** The entries of a menu. */
export function MenuEntries({ items }: { items: readonly MenuEntry[] }) {
  return <Entries items={items} />;
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
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useOnce(isOpen);
  return (
    <Context.Root onOpenChange={setOpen}>
      <Context.Trigger
        render={children}
        onContextMenu={(event) => {
          if (typeof items !== 'function') return;
          const entries = event.target instanceof Element ? items(event.target) : [];
          if (entries.length === 0) event.preventBaseUIHandler();
          setItemsThere(entries);
        }}
      />
      {wasOpened && (
        <Suspense fallback={null}>
          <MenuPopup minWidth={220}>
            <Entries items={typeof items === 'function' ? itemsThere : items} />
          </MenuPopup>
        </Suspense>
      )}
    </Context.Root>
  );
}
