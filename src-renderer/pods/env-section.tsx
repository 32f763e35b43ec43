import { Eye, EyeOff, Variable } from 'lucide-react';
import { useState } from 'react';
import { call } from '../bridge.ts';
import { Button } from '../design/button.tsx';
import { classes } from '../design/class-names.ts';
import { CopyButton } from '../design/copy-button.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { toast } from '../design/toast.tsx';
import { useRevealed } from '../design/use-revealed.ts';
import { envText } from '../messages/pods/sections.tsx';
import { FieldNote } from './field.tsx';
import { useShownPod } from './pod-context.ts';
import { podFields } from './pod-fields.ts';
import { Section } from './section.tsx';
import styles from './env-section.module.css';

const firstShown = 60;

/** The variables by name. One value at a time is shown, for ten seconds. Copying does not show it. */
export function EnvSection() {
  const { reply, connectionId, podId, hasValues, readAtMs } = useShownPod();
  const names = Object.keys(reply.pod.env ?? {});
  // A new reading hides the value that was shown.
  const { revealed, show, latest, hide } = useRevealed(readAtMs);
  const [isWhole, setWhole] = useState(false);

  const reveal = async (name: string): Promise<void> => {
    const result = await latest(call('pod:reveal', { connectionId, podId, name }));
    if (result === null) return;
    if (result.ok) show({ name, value: result.value.value });
    else toast(result.failure.message);
  };
  const count = (
    <FieldNote info={podFields.env} path="env">
      {String(names.length)}
    </FieldNote>
  );
  const shown = isWhole ? names : names.slice(0, firstShown);
  return (
    <Section
      title={envText.title}
      icon={<Variable />}
      note={count}
      actions={
        names.length > 0 && <span className={styles.hint}>{hasValues ? envText.oneAtATime : envText.readToReveal}</span>
      }
    >
      <ul className={styles.list}>
        {shown.map((name) => (
          <Entry
            key={name}
            name={name}
            value={revealed?.name === name ? revealed.value : null}
            onReveal={() => void (revealed?.name === name ? hide() : reveal(name))}
            refusal={hasValues ? undefined : envText.valuesLost}
          />
        ))}
      </ul>
      {!isWhole && names.length > firstShown && (
        <Button variant="ghost" size="sm" className={styles.more} onClick={() => setWhole(true)}>
          {envText.showAll(names.length)}
        </Button>
      )}
    </Section>
  );
}

interface EntryProps {
  name: string;
  value: string | null;
  onReveal: () => void;
  refusal: string | undefined;
}

function Entry({ name, value, onReveal, refusal }: EntryProps) {
  const { connectionId, podId } = useShownPod();
  return (
    <li className={classes(styles.entry, value !== null && styles.open)} aria-label={name}>
      <span className={classes('mono', 'trunc', 'sel')} title={name}>
        {name}
      </span>
      {value === null ? (
        <span className={styles.mask}>
          <span aria-hidden="true">••••••••••••</span>
          <span className="visually-hidden">{envText.hidden}</span>
        </span>
      ) : (
        <span className={classes(styles.value, 'sel')}>
          {value === '' ? <span className="t3">{envText.empty}</span> : value}
        </span>
      )}
      <IconButton
        label={value === null ? envText.reveal(name) : envText.hide(name)}
        size="sm"
        hasSmallGlyph
        icon={value === null ? <Eye /> : <EyeOff />}
        disabledReason={refusal}
        onClick={onReveal}
      />
      <CopyButton
        label={envText.copy(name)}
        disabledReason={refusal}
        copy={() => call('pod:copyEnv', { connectionId, podId, name })}
      />
    </li>
  );
}
