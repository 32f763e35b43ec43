import { keyName } from './platform.ts';
import styles from './kbd.module.css';

/** Key caps for a shortcut. Hidden from accessible names: controls announce it through `aria-keyshortcuts`. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys} aria-hidden="true">
      {keys.map((key) => (
        <kbd key={key} className={styles.key}>
          {keyName(key)}
        </kbd>
      ))}
    </span>
  );
}
