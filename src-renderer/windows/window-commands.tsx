import { Suspense, useEffectEvent, useLayoutEffect } from 'react';
import { handleSecondaryWindowKey } from '../commands/secondary-window-keys.ts';
import { listenToKeys } from '../commands/keyboard.ts';
import type { CommandScope } from '../commands/scope.ts';
import { useOnce, lazyPart } from '../design/lazy-part.ts';
import { LinkQuestionDialog } from '../navigation/open-link-dialog.tsx';
import { useFollowDialog } from '../navigation/open-requests.ts';
import { useShell } from '../navigation/shell-store.ts';

const Palette = lazyPart(async () => (await import('../commands/palette.tsx')).Palette);
const Shortcuts = lazyPart(async () => (await import('../commands/shortcuts.tsx')).Shortcuts);
const FollowDialog = lazyPart(async () => (await import('../follow/follow-dialog.tsx')).FollowDialog);

/** The keys of a window of its own, and what commands and links open over it. Large parts are loaded when needed. */
export function WindowCommands({ scope }: { scope: CommandScope }) {
  const wantsPalette = useOnce(useShell((state) => state.isPaletteOpen));
  const wantsShortcuts = useOnce(useShell((state) => state.areShortcutsOpen));
  const wantsFollow = useOnce(useFollowDialog((state) => state.isOpen));
  const onKey = useEffectEvent((chord: string, event: KeyboardEvent) => handleSecondaryWindowKey(scope, chord, event));
  // Before the paint: a key that is pressed as soon as the window is seen means something.
  useLayoutEffect(() => listenToKeys((chord, event) => onKey(chord, event)), []);
  return (
    <>
      <LinkQuestionDialog />
      <Suspense fallback={null}>
        {wantsPalette && <Palette scope={scope} />}
        {wantsShortcuts && <Shortcuts />}
        {wantsFollow && <FollowDialog />}
      </Suspense>
    </>
  );
}
