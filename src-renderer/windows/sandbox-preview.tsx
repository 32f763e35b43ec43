import type { ReactElement } from 'react';
import type { StatusKind } from '../../src-preload/job.ts';
import { ExecutionBar } from '../design/execution-bar.tsx';
import { StatusGlyph } from '../design/status-glyph.tsx';
import { previewText } from '../messages/windows/onboarding.ts';
import styles from './sandbox-preview.module.css';

const rows: { title: string; kind: StatusKind; fraction: number; took: string }[] = [
  { title: previewText.summary, kind: 'run', fraction: 0.38, took: '6.1 s' },
  { title: previewText.harbour, kind: 'run', fraction: 0.62, took: '3.4 s' },
  { title: previewText.podcast, kind: 'queue', fraction: 1, took: previewText.waiting },
  { title: previewText.invoices, kind: 'done', fraction: 0.7, took: '11.8 s' },
  { title: previewText.handbook, kind: 'fail', fraction: 0.09, took: '0.9 s' },
  { title: previewText.translation, kind: 'timeout', fraction: 1, took: '1:00' },
  { title: previewText.poster, kind: 'done', fraction: 0.31, took: '4.2 s' },
];

/** A picture of the list for the first screen. It is decoration, so it is hidden from assistive technology. */
export function SandboxPreview(): ReactElement {
  return (
    <div className={styles.stage} aria-hidden>
      <div className={styles.list}>
        {rows.map((row) => (
          <div key={row.title} className={styles.row}>
            <StatusGlyph kind={row.kind} />
            <span className={styles.title}>{row.title}</span>
            <span className={styles.bar}>
              <ExecutionBar kind={row.kind} fraction={row.fraction} />
            </span>
            <span className={styles.took}>{row.took}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
