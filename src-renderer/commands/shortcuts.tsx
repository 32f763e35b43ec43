import type { GlobalShortcuts } from '../../src-preload/settings.ts';
import { useSession } from '../data/session-store.ts';
import { Dialog } from '../design/dialog.tsx';
import { Kbd } from '../design/kbd.tsx';
import { shortcutText } from '../messages/commands/shortcuts.ts';
import { windowKind } from '../navigation/route.ts';
import { useShell } from '../navigation/shell-store.ts';
import { shortcutsOf, type ShortcutGroup } from './shortcut-list.ts';
import styles from './shortcuts.module.css';

/** The sheet of all keys that this window has, opened with `?`. */
export function Shortcuts() {
  const isOpen = useShell((state) => state.areShortcutsOpen);
  const globalShortcuts = useSession((state) => state.settings.globalShortcuts);
  return (
    <Dialog
      title={shortcutText.title}
      isOpen={isOpen}
      onClose={() => useShell.getState().set({ areShortcutsOpen: false })}
      width={1000}
      isText
    >
      <div className={styles.groups}>
        {[...shortcutsOf(windowKind()), ...globalGroup(globalShortcuts)].map((group) => (
          <section key={group.title}>
            <h3 className={styles.title}>{group.title}</h3>
            <dl className={styles.lines}>
              {group.lines.map(([label, ...chords]) => (
                <div key={label} className={styles.line}>
                  <dt>{label}</dt>
                  <dd>
                    {chords.map((keys) => (
                      <Kbd key={keys.join('+')} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** The global shortcuts, as the user set them. None while they are off. */
function globalGroup({ isOn, open, newJob }: GlobalShortcuts): ShortcutGroup[] {
  if (!isOn) return [];
  return [
    {
      title: shortcutText.global.title,
      lines: [
        [shortcutText.global.open, keysOf(open)],
        [shortcutText.global.newJob, keysOf(newJob)],
      ],
    },
  ];
}

/** The keys of an accelerator such as `CmdOrCtrl+Shift+N`. */
function keysOf(accelerator: string): string[] {
  return accelerator.split('+').map((key) => (key === 'CmdOrCtrl' || key === 'CommandOrControl' ? 'Ctrl' : key));
}
