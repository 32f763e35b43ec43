import styles from './status.module.css';
import type { ReactNode } from 'react';
import type { StatusKind } from '../../src-preload/job.ts';
import { classes } from './class-names.ts';

const shapes: Readonly<Record<StatusKind, ReactNode>> = {
  queue: (
    <circle
      cx="8"
      cy="8"
      r="5.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeDasharray="3.35 2.41"
      strokeDashoffset="1.2"
    />
  ),
  run: (
    <>
      <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.8" opacity=".28" />
      <path
        d="M8 2.5a5.5 5.5 0 1 1-5.22 3.76"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        className={styles.spin}
      />
      <circle cx="8" cy="8" r="2" fill="currentColor" />
    </>
  ),
  done: (
    <>
      <circle cx="8" cy="8" r="6.6" fill="currentColor" />
      <path
        d="M5.1 8.25 7.15 10.3 11 6.1"
        fill="none"
        className={styles.cut}
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  fail: (
    <>
      <path
        d="M14.56 10.72L10.72 14.56L5.28 14.56L1.44 10.72L1.44 5.28L5.28 1.44L10.72 1.44L14.56 5.28Z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth=".6"
        strokeLinejoin="round"
      />
      <path
        d="M5.9 5.9l4.2 4.2M10.1 5.9l-4.2 4.2"
        fill="none"
        className={styles.cut}
        strokeWidth="1.7"
        strokeLinecap="round"
      />
    </>
  ),
  timeout: (
    <>
      <path
        d={
          'M3.4 1.6h9.2c.4 0 .7.3.7.7v.5c0 .4-.3.7-.6.7 0 2.2-1.6 3.3-2.9 4.5 1.3 1.2 2.9 2.3 2.9 4.5.3 0 ' +
          '.6.3.6.7v.5c0 .4-.3.7-.7.7H3.4a.7.7 0 0 1-.7-.7v-.5c0-.4.3-.7.6-.7 0-2.2 1.6-3.3 2.9-4.5C4.9 6.8 3.3 ' +
          '5.7 3.3 3.5c-.3 0-.6-.3-.6-.7v-.5c0-.4.3-.7.7-.7z'
        }
        fill="currentColor"
      />
      <path d="M5.6 12.3c.3-1.1 1.3-1.9 2.4-2.7 1.1.8 2.1 1.6 2.4 2.7z" className={styles.sand} opacity=".55" />
    </>
  ),
  cancel: (
    <>
      <circle cx="8" cy="8" r="5.7" fill="none" stroke="currentColor" strokeWidth="1.7" />
      <path d="M4.1 11.9 11.9 4.1" stroke="currentColor" strokeWidth="1.7" />
    </>
  ),
  gone: (
    <>
      <rect
        x="2.6"
        y="2.6"
        width="10.8"
        height="10.8"
        rx="2.6"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray="1.8 2.080"
      />
      <path d="M5.7 8h4.6" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  'to-send': (
    <>
      <rect x="2.2" y="2.2" width="11.6" height="11.6" rx="3" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path
        d="M8 10.9V5.3M5.6 7.5 8 5.1l2.4 2.4"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="5.7" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path
        d="M6.3 6.6a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.8.55-.8 1.1"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle cx="8" cy="11.1" r=".85" fill="currentColor" />
    </>
  ),
  orphaned: (
    <>
      <path
        d="M1.8 8S4 3.9 8 3.9 14.2 8 14.2 8 12 12.1 8 12.1 1.8 8 1.8 8Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx="8" cy="8" r="1.7" fill="currentColor" />
      <path d="M3.2 12.8 12.8 3.2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
};

interface StatusGlyphProps {
  kind: StatusKind;
  size?: 10 | 12 | 14 | 16 | 20;
  label?: string | undefined;
}

/** The glyph of a status. Pass `label` if there is no status text beside it. */
export function StatusGlyph({ kind, size = 14, label }: StatusGlyphProps) {
  return (
    <svg
      className={classes(styles.glyph, styles[kind])}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      overflow="visible"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      {shapes[kind]}
    </svg>
  );
}

const textNames: Readonly<Record<StatusKind, string>> = {
  queue: 'text-queue',
  run: 'text-run',
  done: 'text-done',
  fail: 'text-fail',
  timeout: 'text-timeout',
  cancel: 'text-cancel',
  gone: 'text-cancel',
  'to-send': 'text-cancel',
  unknown: 'text-cancel',
  orphaned: 'text-cancel',
};

/** The class for text in the colour of a status. It has a contrast of 4.5:1 on every surface. */
export function statusTextClass(kind: StatusKind): string {
  return styles[textNames[kind]] ?? '';
}

/** The class for a bar in the colour of a status, drawn with `currentColor`. It has a contrast of 3:1 on panels. */
export function statusBarClass(kind: StatusKind): string {
  return styles[kind] ?? '';
}

/** Glyph and text on the status's background colour. Without its hue while the status may have changed. */
export function StatusPill({
  kind,
  word,
  isUncertain = false,
}: {
  kind: StatusKind;
  word: string;
  isUncertain?: boolean;
}) {
  return (
    <span className={classes(styles.pill, styles[isUncertain ? 'pill-cancel' : `pill-${kind}`])}>
      <StatusGlyph kind={kind} size={14} />
      {word}
    </span>
  );
}
