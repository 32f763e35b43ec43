import styles from './compare.module.css';

/** How the second value differs: `39 % less`, with its number in ink. */
export function Change({ text }: { text: string }) {
  const [number = ''] = /^\d[\d.,]*(?: %)?/.exec(text) ?? [];
  return (
    <span className={styles.change}>
      <b>{number}</b>
      {text.slice(number.length)}
    </span>
  );
}
