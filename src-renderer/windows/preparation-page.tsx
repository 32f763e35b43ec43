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
  const saved = jobs === null ? 'Your saved jobs' : formatCountOf(jobs, 'saved job');
  const are = jobs === 1 ? 'is' : 'are';
  switch (kind) {
    case 'upgrade':
      return {
        title: 'Bringing your history up to date',
        text:
          `${saved} ${are} fitted to this version of Jobdeck, once. The list appears here by itself, and jobs are ` +
          'followed again from then on.',
      };
    case 'check':
      return {
        title: 'Checking your history',
        text:
          `Jobdeck met damage in it, so ${jobs === null ? 'all of it is' : `${saved} ${are}`} read through before ` +
          'anything is added. The list appears here by itself; a file that cannot be used is set aside, never ' +
          'deleted.',
      };
  }
}
