import bar from './title-bar.module.css';
import styles from './preparation-page.module.css';
import type { Preparation } from '../../src-preload/app.ts';
import { classes } from '../design/class-names.ts';
import { Logo } from '../design/logo.tsx';
import { isMac } from '../design/keyboard/platform.ts';
import { useAfterPause } from '../design/use-pause.ts';
import { preparationText } from '../messages/windows/states.tsx';
import { WindowControls } from './window-controls.tsx';

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
              <Logo size={38} />
              <h1>{title}</h1>
              <p>{text}</p>
            </>
          )}
        </div>
      </main>
    </div>
  );
}
