import { Fragment } from 'react';
import type { MessagePart } from '../../src-preload/failure-cause.ts';
import { causeText } from '../messages/failures/cause.tsx';
import styles from './cause.module.css';

/**
 * The first sentence of a message, without its full stop, and the rest. All of it is the first if that would leave
 * something out itself. Pure.
 */
export function firstSentence(message: string): { first: string; rest: string } {
  const [, first = message, rest = ''] = /^([^…]{3,80}?)[.!]\s+(\S.*)$/su.exec(message) ?? [];
  return { first: /[.!]\s/u.test(first) ? first : first.replace(/(?<!\.)\.$/u, ''), rest };
}

/** A part of a message, with what varies on a chip: an end that is cut off for want of room looks different. */
export function VariedText({ text }: { text: string }) {
  return text.split('…').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <span className={styles.varied}>…</span>}
      {part}
    </Fragment>
  ));
}

/** The message of a cause as its jobs reported it, with the values that differ: `5.10 to 9.88`. */
export function SeenMessage({ parts }: { parts: readonly MessagePart[] }) {
  return (
    <p className={styles.seenMessage} dir="auto">
      {parts.map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <span key={index} className={styles.seenValue}>
            {seenText(part)}
          </span>
        ),
      )}
    </p>
  );
}

function seenText(part: Exclude<MessagePart, { kind: 'text' }>): string {
  if (part.kind === 'varied') return '…';
  return part.min === part.max ? part.min : causeText.range(part.min, part.max);
}
