import bar from './title-bar.module.css';
import styles from './preparation-page.module.css';
import type { Preparation } from '../../src-preload/app.ts';
import { classes } from '../design/class-names.ts';
import { Mark } from '../design/mark.tsx';
import { isMac } from '../design/platform.ts';
import { useAfterPause } from '../design/use-pause.ts';
import { WindowControls } from './window-controls.tsx';
import { formatCountOf } from '../design/format.ts';

/** The window while the history is prepared. Nothing in it can be asked yet, but it can be moved and closed. */
export function PreparationPage({ preparation }: { preparation: Preparation }) {
  const isShown = useAfterPause();
  const { title, text } = preparationText(preparation);
  return (
    <div className={styles.window}>
      <header className={classes(bar['window-bar'], isMac && bar.mac)}>
        <span />
        <WindowControls />
      </header>
      <main className={styles.page}>
        <div role="status" className={styles.words}>
          {isShown && (
            <>
              <Mark size={38} />
              <h1>{title}</h1>
              <p>{text}</p>
            </>
          )}
        </div>
      </main>
    </div>
  );
}

/** What a window says while the history is prepared. Pure. */
export function preparationText({ kind, jobs }: Preparation): { title: string; text: string } {
  const saved = jobs === null ? 'your saved jobs' : formatCountOf(jobs, 'saved job');
  switch (kind) {
    case 'upgrade':
      return {
        title: 'Bringing your history up to date',
        text: `Updating ${saved} for this version. The list appears when it is done, and tracking resumes then.`,
      };
    case 'check':
      return {
        title: 'Checking your history',
        text:
          `Jobdeck found damage in it and reads ${jobs === null ? 'all of it' : saved} before it adds anything. ` +
          'The list appears when it is done; an unusable file is set aside, never deleted.',
      };
  }
}
