import bar from './title-bar.module.css';
import styles from './preparation-page.module.css';
import type { Preparation } from '../../src-preload/app.ts';
import { classes } from '../design/class-names.ts';
import { Mark } from '../design/mark.tsx';
import { isMac } from '../design/platform.ts';
import { useAfterPause } from '../design/use-pause.ts';
import { WindowControls } from './window-controls.tsx';
import { formatCountOf } from '../../src-preload/format.ts';

/** The window while the engine starts. It can be moved and closed, but nothing can be requested yet. */
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

/** The text of that page. Pure. */
export function preparationText(preparation: Preparation): { title: string; text: string } {
  if (preparation.kind === 'sandbox')
    return {
      title: 'Starting the sandbox',
      text: 'Jobdeck starts the sandbox before it tracks your jobs there. The list appears when it has started.',
    };
  const { kind, jobs } = preparation;
  const saved = jobs === null ? 'your saved jobs' : formatCountOf(jobs, 'saved job');
  switch (kind) {
    case 'upgrade':
      return {
        title: 'Bringing your history up to date',
        text: `Updating ${saved} for this version. The list appears when this is finished, and tracking resumes.`,
      };
    case 'check':
      return {
        title: 'Checking your history',
        text:
          `Jobdeck found damage and checks ${jobs === null ? 'the whole history' : saved} before it adds anything. ` +
          'The list appears when this is finished. An unusable file is set aside, never deleted.',
      };
  }
}
