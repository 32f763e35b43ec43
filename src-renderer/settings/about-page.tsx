import { useState } from 'react';
import { callOrReport } from '../call-or-report.ts';
import { call } from '../bridge.ts';
import { useSession } from '../data/session-store.ts';
import { Button } from '../design/button.tsx';
import { Logo } from '../design/logo.tsx';
import { toast } from '../design/toast.tsx';
import { aboutText } from '../messages/settings/about.ts';
import styles from './about-page.module.css';
import { UpdateSection } from './update-section.tsx';

/** The version of Jobdeck, and what a bug report needs. */
export function AboutPage() {
  const info = useSession((state) => state.info);
  const [report, setReport] = useState<string | null>(null);
  const show = async (): Promise<void> => {
    const found = await call('app:diagnostics', undefined);
    if (found.ok) setReport(found.value.text);
    else toast(found.failure.message);
  };
  const copy = async (text: string): Promise<void> => {
    const copied = await call('app:copyText', { text });
    toast(copied.ok ? aboutText.diagnosticsCopied : copied.failure.message);
  };
  return (
    <>
      <div className={styles.head}>
        <Logo size={40} />
        <div>
          <h3 className={styles.title}>{aboutText.jobdeck}</h3>
          <p className={styles.version}>{aboutText.version(info?.version ?? '', info?.runtime === 'stand-in')}</p>
        </div>
      </div>
      <UpdateSection />
      <h4 className={styles.heading}>{aboutText.diagnostics}</h4>
      <p className={styles.hint}>{aboutText.diagnosticsHint}</p>
      <div className={styles.actions}>
        {/* One button, so that it keeps the focus when it has done the first of the two. */}
        <Button
          variant={report === null ? undefined : 'primary'}
          onClick={() => void (report === null ? show() : copy(report))}
        >
          {report === null ? aboutText.showDiagnostics : aboutText.copyDiagnostics}
        </Button>
        <Button onClick={() => callOrReport('app:showInFolder', { file: 'log' })}>{aboutText.openLogs}</Button>
      </div>
      {report !== null && (
        <pre className={styles.report} tabIndex={0} role="region" aria-label={aboutText.diagnostics}>
          {report}
        </pre>
      )}
    </>
  );
}
