import type { ReactElement } from 'react';
import { formatBytes, formatCount } from '../../../src-preload/format.ts';
import { useBulk } from './bulk-store.ts';
import frame from '../composer.module.css';
import styles from './many-inputs.module.css';

const mostRows = 40;
const mostChars = 400;

/** The first rows as they will be sent. */
export function PreviewTable(): ReactElement | null {
  const good = useBulk((state) => state.parsed.good);
  if (good.length === 0) return null;
  return (
    <div className={styles.preview}>
      <div className={styles.previewHead}>
        <span className={frame.label}>Preview</span>
        {good.length > mostRows && (
          <span className={frame.quiet}>
            first {mostRows} of {formatCount(good.length)}
          </span>
        )}
      </div>
      <div className={styles.scroller}>
        <table aria-label="Preview of the rows" className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Line</th>
              <th scope="col">Input</th>
              <th scope="col">Size</th>
            </tr>
          </thead>
          <tbody>
            {good.slice(0, mostRows).map(({ line, inputText }, index) => (
              <tr key={index}>
                <td>{index + 1}</td>
                <td>{formatCount(line)}</td>
                <td className={styles.input} dir="auto">
                  {inputText.length > mostChars
                    ? `${inputText.slice(0, mostChars)}…`
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
