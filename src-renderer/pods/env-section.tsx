import { Check, Copy, Eye, EyeOff, Variable } from 'lucide-react';
import { useEffect, useState } from 'react';
import { podFields } from '../../src-preload/pod-fields.ts';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { formatCountOf } from '../design/format.ts';
import { IconButton } from '../design/icon-button.tsx';
import { toast } from '../design/toast.tsx';
import { FieldNote } from './field.tsx';
import { usePodInHand } from './pod-context.ts';
import { Section } from './section.tsx';
import styles from './env-section.module.css';

/** design: Secrets. */
const revealMs = 10_000;
const firstShown = 60;

/** The variables by name. One value at a time is shown, for ten seconds; copying goes past the window. */
export function EnvSection() {
  const { reply, connectionId, podId, hasValues, readAtMs } = usePodInHand();
  const names = Object.keys(reply.pod.env ?? {});
  const [revealed, setRevealed] = useState<{ name: string; value: string } | null>(null);
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    if (revealed === null) return undefined;
    const hide = (): void => setRevealed(null);
    const timer = setTimeout(hide, revealMs);
    // Whoever looks at the screen later must not find it.
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [revealed]);

  // It was a value of the look before.
  useEffect(() => setRevealed(null), [readAtMs]);

  const reveal = async (name: string): Promise<void> => {
    const result = await call('pod:reveal', { connectionId, podId, name });
    if (result.ok) setRevealed({ name, value: result.value.value });
    else toast(result.failure.message);
  };
  const count = <FieldNote info={podFields.env} path="env">{String(names.length)}</FieldNote>;
  const shown = isWhole ? names : names.slice(0, firstShown);
  return (
    <Section title="Environment" icon={<Variable />} note={count} actions={names.length > 0 && <span className={styles.hint}>{hasValues ? 'One value at a time, for 10 s' : 'Read the pod again to reveal values'}</span>}>
      <ul className={styles.list}>
        {shown.map((name) => (
          <Entry
            key={name}
            name={name}
            value={revealed?.name === name ? revealed.value : null}
            onReveal={() => void (revealed?.name === name ? setRevealed(null) : reveal(name))}
            refusal={hasValues ? undefined : 'The values are gone with a former session. Read the pod again.'}
          />
        ))}
      </ul>
      {!isWhole && names.length > firstShown && <Button variant="ghost" size="sm" className={styles.more} onClick={() => setWhole(true)}>Show all {formatCountOf(names.length, 'variable')}</Button>}
    </Section>
  );
}

function Entry({ name, value, onReveal, refusal }: { name: string; value: string | null; onReveal: () => void; refusal: string | undefined }) {
  const { connectionId, podId } = usePodInHand();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    const result = await call('pod:copyEnv', { connectionId, podId, name });
    if (result.ok) setCopied(true);
    else toast(result.failure.message);
  };
  return (
    <li className={classes(styles.entry, value !== null && styles.open)} aria-label={name}>
      <span className={classes('mono', 'trunc', 'sel')} title={name}>{name}</span>
      {value === null
        ? <span className={styles.mask}><span aria-hidden="true">••••••••••••</span><span className="visually-hidden">hidden</span></span>
        : <span className={classes(styles.value, 'sel')}>{value === '' ? <span className="t3">empty</span> : value}</span>}
      <IconButton label={value === null ? `Reveal ${name}` : `Hide ${name}`} size="sm" hasSmallGlyph icon={value === null ? <Eye /> : <EyeOff />} disabledReason={refusal} onClick={onReveal} />
      <IconButton label={isCopied ? 'Copied' : `Copy the value of ${name}`} size="sm" hasSmallGlyph icon={isCopied ? <Check /> : <Copy />} disabledReason={refusal} onClick={() => void copy()} />
    </li>
  );
}
