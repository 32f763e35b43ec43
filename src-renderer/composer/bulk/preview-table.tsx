import type { ReactElement } from 'react';
import { formatBytes, formatCount } from '../../../src-preload/format.ts';
import { rowPreviewText } from '../../messages/composer/batch.ts';
import { useBulk } from './bulk-store.ts';
import frame from '../composer.module.css';
import styles from './many-inputs.module.css';

const maxRows = 40;
const maxChars = 400;

/** The first rows as they will be sent. */
export function PreviewTable(): ReactElement | null {
  const good = useBulk((state) => state.parsed.good);
  if (good.length === 0) return null;
  return (
    <div className={styles.preview}>
      <div className={styles.previewHead}>
        <span className={frame.label}>{rowPreviewText.title}</span>
        {good.length > maxRows && <span className={frame.quiet}>{rowPreviewText.firstOf(maxRows, good.length)}</span>}
      </div>
      <div className={styles.scroller}>
        <table aria-label={rowPreviewText.table} className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{rowPreviewText.row}</th>
              <th scope="col">{rowPreviewText.line}</th>
              <th scope="col">{rowPreviewText.input}</th>
              <th scope="col">{rowPreviewText.size}</th>
            </tr>
          </thead>
          <tbody>
            {good.slice(0, maxRows).map(({ line, inputText }, index) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>{formatCount(line)}</td>
                <td className={styles.input} dir="auto">
                  {inputText.length > maxChars
                    ? `${inputText.slice(0, maxChars)}…`
                    : inputText.replaceAll(/\s*\n\s*/g, ' ')}
                </td>
                <td>{formatBytes(inputText.length)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
