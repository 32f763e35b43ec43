import { Tooltip as Base } from '@base-ui/react/tooltip';
import { Suspense, useState, type ReactElement, type ReactNode } from 'react';
import { lazyPart, useOnce } from './lazy-part.ts';

// A tooltip opens half a second after the pointer came: what places it is not needed for the first screen.
const TooltipPopup = lazyPart(async () => (await import('./tooltip-popup.tsx')).TooltipPopup);

/** Groups tooltips, so that the next one in a row opens immediately. Rendered once, at the root. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={500} closeDelay={0} timeout={300}>
      {children}
    </Base.Provider>
  );
}

interface TooltipProps {
  text: ReactNode;
  keys?: readonly string[] | undefined;
  children: ReactElement;
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/**
 * A short text for the control inside. `children` is one element that accepts a ref. It stays the same element where
 * the text comes and goes, so that it keeps the focus.
 */
export function Tooltip({ text, keys, children, side = 'bottom' }: TooltipProps) {
  const [isOpen, setOpen] = useState(false);
  const wasOpened = useOnce(isOpen);
  return (
    <Base.Root disabled={text === undefined || text === null || text === ''} onOpenChange={setOpen}>
      <Base.Trigger render={children} />
      {wasOpened && (
        <Suspense fallback={null}>
          <TooltipPopup text={text} keys={keys} side={side} />
        </Suspense>
      )}
    </Base.Root>
  );
}
