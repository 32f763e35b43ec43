import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { commonText } from '../messages/common.ts';
import { crashText } from '../messages/design.ts';
import styles from './error-boundary.module.css';

interface Props {
  children: ReactNode;
  /** The name of this part of the window. The whole window if absent. */
  part?: string;
  /** The part is one of several cards. The others continue to work. */
  isCard?: boolean;
  /** What the part shows. Another subject is tried again, in the same part. */
  subject?: string;
}

interface State {
  error: Error | null;
  subject: string | undefined;
}

/** Shows the error instead of a blank window. Jobs are still tracked, because that happens in the main process. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, subject: this.props.subject };

  /** Called by React when a child threw. */
  static getDerivedStateFromError(error: unknown): Pick<State, 'error'> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  /** Called by React before it renders. */
  static getDerivedStateFromProps({ subject }: Props, before: State): State | null {
    return subject === before.subject ? null : { error: null, subject };
  }

  /** The children, or the error with a button to try again. */
  override render(): ReactNode {
    const { error } = this.state;
    const { part, isCard = false, children } = this.props;
    if (error === null) return children;
    const tryAgain = (): void => this.setState({ error: null });
    if (part !== undefined && isCard) {
      return (
        <section className={styles.card} role="alert" aria-label={part}>
          <h3 className={styles['card-title']}>{crashText.couldNotShow(part)}</h3>
          <p className={styles['card-text']}>{crashText.card}</p>
          <pre className={styles.detail}>{error.message}</pre>
          <Button size="sm" onClick={tryAgain}>
            {commonText.tryAgain}
          </Button>
        </section>
      );
    }
    return <DefectPage detail={error.message} {...(part !== undefined && { part, onAgain: tryAgain })} />;
  }
}

interface DefectPageProps {
  detail: string;
  part?: string;
  onAgain?: () => void;
}

/** Shown instead of a part of the window, or of all of it: what could not be shown, why, and how to continue. */
export function DefectPage({ detail, part, onAgain }: DefectPageProps): ReactNode {
  return (
    <div className={part === undefined ? styles.page : styles.part} role="alert">
      <h1 className={styles.title}>
        {part === undefined ? crashText.couldNotShowWindow : crashText.couldNotShow(part)}
      </h1>
      <p className={styles.text}>{crashText.page}</p>
      <pre className={styles.detail}>{detail}</pre>
      <div className={styles.actions}>
        {onAgain !== undefined && (
          <button type="button" className={styles.button} onClick={onAgain}>
            {commonText.tryAgain}
          </button>
        )}
        <button type="button" className={styles.primary} onClick={() => window.location.reload()}>
          {commonText.reload}
        </button>
      </div>
    </div>
  );
}
