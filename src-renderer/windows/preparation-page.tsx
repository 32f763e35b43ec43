import type { Preparation } from '../../src-preload/app.ts';
import { classes } from '../design/class-names.ts';
import { Mark } from '../design/mark.tsx';
import { isMac } from '../design/platform.ts';
import { useAfterPause } from '../design/use-after-pause.ts';
import { preparationText } from './preparation-messages.ts';
import bar from './title-bar.module.css';
import { WindowControls } from './window-controls.tsx';
import styles from './preparation-page.module.css';

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
