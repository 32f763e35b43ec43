import styles from './job-pane.module.css';

/** Still shapes in the pane's own geometry. */
export function PaneSkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label="Loading">
      <i style={{ width: 110, height: 22 }} />
      <i style={{ width: '64%', height: 20 }} />
      <i style={{ width: '42%', height: 12 }} />
      <i style={{ width: '78%', height: 28 }} />
      <i style={{ width: '100%', height: 86 }} />
    </div>
  );
}
