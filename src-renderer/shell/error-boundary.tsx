import { Component } from 'react';
import type { ReactNode } from 'react';
import styles from './error-boundary.module.css';

interface Props {
  children: ReactNode;
  /** What this part of the window is called; the whole window when absent. */
  part?: string;
}

/** Shows what happened in place of a blank window. Jobs go on being followed: tracking does not live here. */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const isPart = this.props.part !== undefined;
    return (
      <div className={isPart ? styles.part : styles.page} role="alert">
        <h1 className={styles.title}>{isPart ? `${this.props.part} could not be shown` : 'This window could not be shown'}</h1>
        <p className={styles.text}>A defect in Jobdeck stopped it. Jobs are still followed and everything saved is kept.</p>
        <pre className={styles.detail}>{error.message}</pre>
        <div className={styles.actions}>
          {isPart && <button type="button" className={styles.button} onClick={() => this.setState({ error: null })}>Try again</button>}
          <button type="button" className={styles.primary} onClick={() => window.location.reload()}>Reload</button>
        </div>
      </div>
    );
  }
}
